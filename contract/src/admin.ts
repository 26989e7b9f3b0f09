import { z } from 'zod'
import { Id, IdInPath, IdInText, inText, Moment, SentenceKey, SentenceValues } from './common.ts'
import { endpoint } from './endpoint.ts'
import { FileType } from './media.ts'
import { Person } from './people.ts'

/** A file that could not be prepared or only in part, or whose stored bytes are not what they were. */
export const FailedFile = z.object({
  id: Id,
  original_name: z.string(),
  file_type: FileType,
  file_size: z.number().int(),
  // A newer server may know others; `reason` explains each.
  problem: z.enum(['failed', 'damaged', 'partly_damaged', 'incomplete']).catch('partly_damaged'),
  reason: z.string().describe('A sentence, in English'),
  reason_key: SentenceKey,
  reason_values: SentenceValues,
  since: Moment,
  download_url: z.string(),
})
export type FailedFile = z.infer<typeof FailedFile>

export const ActivityLine = z.object({
  id: Id,
  at: Moment,
  actor: Person.nullable().describe('Null: the product itself'),
  act: z.string(),
  subject_type: z.string(),
  subject_id: z.number().int(),
  subject_name: z.string().nullable(),
  subject_email: z.string().optional().describe('Of a person, if somebody else has the same name'),
  before: z.unknown().describe('What was there'),
  files: z.number().int().nullable().default(null).describe('Of an act on several files; `subject_id` is one of them'),
  videos: z.number().int().default(0).describe('How many of them are videos'),
})
export type ActivityLine = z.infer<typeof ActivityLine>

const Page = z.object({
  limit: inText(z.number().int().min(1).max(500)).default(100),
  before: IdInText.optional().describe('Only lines older than the one with this id'),
})

export const listFailedFiles = endpoint({
  method: 'GET',
  path: '/api/admin/failed-files',
  summary: 'Files that failed to be prepared, and damaged or partly damaged ones',
  act: 'library.administer',
  serializedPerPerson: true,
  query: Page,
  answer: z.array(FailedFile),
})

export const retryFailedFile = endpoint({
  method: 'POST',
  path: '/api/admin/failed-files/:id/retry',
  summary: 'Prepare a failed or partly damaged file again, or read a damaged one again',
  act: 'library.administer',
  params: IdInPath,
})

export const retryFailedFiles = endpoint({
  method: 'POST',
  path: '/api/admin/failed-files/retry',
  summary: 'Do so for all of them at once, the newest first',
  act: 'library.administer',
  serializedPerPerson: true,
  answer: z.object({
    retried: z.number().int(),
    more: z.boolean().describe('True: there were too many for one call'),
  }),
})

export const listActivity = endpoint({
  method: 'GET',
  path: '/api/admin/activity',
  summary: 'Who did what, newest first',
  act: 'library.administer',
  serializedPerPerson: true,
  query: Page.extend({
    person_id: IdInText.optional(),
    media_id: IdInText.optional(),
  }),
  answer: z.array(ActivityLine),
})

export const listActivityFiles = endpoint({
  method: 'GET',
  path: '/api/admin/activity/:id/files',
  summary: 'The files of an act on several, in the order in which they were changed',
  act: 'library.administer',
  serializedPerPerson: true,
  params: IdInPath,
  query: z.object({
    limit: Page.shape.limit,
    after: IdInText.optional().describe('Only those after the one with this `id`'),
  }),
  answer: z.array(
    z.object({
      id: Id.describe('For the next page'),
      media_id: Id,
      name: z.string().nullable().describe('Null: the file was removed for good'),
    }),
  ),
})

export const libraryHealth = endpoint({
  method: 'GET',
  path: '/api/admin/health',
  summary: 'What the installation lacks, in sentences, and how much waits to be prepared',
  act: 'library.administer',
  answer: z.object({
    warnings: z.array(z.string()),
    /** How far the programs that read photos and videos are confined on the server that answers. */
    sandbox: z.enum(['full', 'partial', 'none']),
    waiting_jobs: z.number().int(),
  }),
})

export const LastBackup = z.object({
  at: Moment.describe('The moment whose state it holds'),
  files: z.number().int(),
  bytes: z.number().int(),
  problems: z.number().int().describe('Files of the library that were damaged or missing'),
  // Earlier versions did not record these two.
  folder: z.string().nullable().default(null).describe('Where it was written'),
  machine: z.string().nullable().default(null).describe('The name of the computer on which the command ran'),
})

const LibraryOverview = z.object({
  images: z.number().int(),
  videos: z.number().int(),
  bytes: z.number().int().describe('Of the originals'),
  months: z
    .array(z.object({ month: z.string(), files: z.number().int(), bytes: z.number().int() }))
    .describe('What was added in each of the last twelve months (UTC), oldest first, without what was deleted since'),
  jobs: z
    .object({ waiting: z.number().int(), failed: z.number().int() })
    .describe('Waiting or running now, and failed in the last 30 days'),
  last_backup: LastBackup.nullable().describe('Null: the backup command has not run yet'),
  disk: z
    .object({ free: z.number(), total: z.number() })
    .nullable()
    .describe('Of the data folder on the server that answers, in bytes; null: unknown'),
  in_store: z.boolean().describe('True: photos and videos are in an S3 store, not on that disk'),
  sandbox: z.enum(['full', 'partial', 'none']),
  ffmpeg: z
    .object({
      version: z.string(),
      year: z.number().int().nullable().describe('Of its source; null: it does not say'),
      origin: z.enum(['configured', 'system', 'package']),
    })
    .nullable()
    .describe('The program for videos; null: there is none that works'),
  version: z.string(),
})
export type LibraryOverview = z.infer<typeof LibraryOverview>

export const libraryOverview = endpoint({
  method: 'GET',
  path: '/api/admin/overview',
  summary: 'Files, storage, growth, jobs, last backup and disk. Some of them are up to ten minutes old',
  act: 'library.administer',
  serializedPerPerson: true,
  answer: LibraryOverview,
})

/** What the family needs to find when nobody can ask the admins any more. It contains no secret. */
export const EmergencySheet = z.object({
  title: z.string(),
  address: z.string(),
  version: z.string(),
  admins: z.array(z.object({ name: z.string(), email: z.string() })),
  machine: z.string().describe('The name that the computer of this server has for itself'),
  program_folder: z.string(),
  data_folder: z.string(),
  database: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('sqlite'), file: z.string() }),
    z.object({ kind: z.literal('postgres'), host: z.string(), name: z.string() }),
  ]),
  files: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('folder'), folder: z.string() }),
    z.object({ kind: z.literal('s3'), bucket: z.string(), endpoint: z.string().nullable().describe("Null: Amazon's") }),
  ]),
  last_backup: LastBackup.nullable(),
})
export type EmergencySheet = z.infer<typeof EmergencySheet>

export const emergencySheet = endpoint({
  method: 'GET',
  path: '/api/admin/emergency-sheet',
  summary: 'What the printed page for the drawer says: where everything is, without any secret',
  act: 'library.administer',
  answer: EmergencySheet,
})
