import { z } from 'zod'
import { Moment } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A file of the inbox folder that could not be stored, and was moved to `failed`. */
export const InboxFailure = z.object({
  name: z.string().describe('Its path below `failed`'),
  // A newer server may know others; `text` explains each.
  reason: z.enum(['not_media', 'audio_only', 'link', 'special', 'name', 'unreadable']).catch('unreadable'),
  text: z.string().describe('A sentence, in English'),
  at: Moment,
})
export type InboxFailure = z.infer<typeof InboxFailure>

export const InboxReport = z.object({
  state: z
    .enum(['ready', 'absent', 'no_owner', 'failing'])
    .catch('failing')
    .describe('absent: there is no such folder now; no_owner: nobody to give the files to; failing: see `problem`'),
  problem: z.string().nullable().describe('What stops it, in English'),
  waiting: z.number().int().describe('Files that are still being written, or wait for their turn'),
  failures: z.array(InboxFailure).describe('What lies in `failed`, newest first, at most a hundred'),
})
export type InboxReport = z.infer<typeof InboxReport>

export const WatchedReport = z.object({
  state: z
    .enum(['new', 'ready', 'not_mounted', 'many_missing', 'no_owner', 'failing'])
    .catch('failing')
    .describe(
      'new: not looked at yet; not_mounted: absent or empty; many_missing: so many files are gone at once that it may be another disk',
    ),
  problem: z.string().nullable().describe('What stops it, in English'),
  files: z.number().int().describe('Photos and videos in it'),
  gone: z.number().int().describe('Files that are not there any more and not marked as missing yet (many_missing)'),
  unreadable: z.number().int().describe('Files and folders that could not be read the last time'),
  looked_at: z.number().int().nullable().describe('While it is looked through: how many files already'),
  finished_at: Moment.nullable().describe('When it was looked through the last time'),
})
export type WatchedReport = z.infer<typeof WatchedReport>

export const SourceFolders = z.object({
  inbox: InboxReport.extend({ folder: z.string(), checked_at: Moment }).nullable().describe('Null: none is configured'),
  watched: z
    .array(
      WatchedReport.extend({
        folder: z.string(),
        without: z.array(z.string()).describe('Servers that cannot see it now'),
      }),
    )
    .default([]),
  missing: z.number().int().default(0).describe('Files of the library that are in no watched folder any more'),
})
export type SourceFolders = z.infer<typeof SourceFolders>

export const sourceFolders = endpoint({
  method: 'GET',
  path: '/api/admin/source-folders',
  summary: 'The inbox folder and watched folders: how they are doing',
  act: 'library.administer',
  answer: SourceFolders,
})

export const scanWatchedFolders = endpoint({
  method: 'POST',
  path: '/api/admin/source-folders/scan',
  summary: 'Look through the watched folders now',
  act: 'library.administer',
  body: z.object({
    accept_missing: z
      .string()
      .max(4_096)
      .optional()
      .describe(
        'A folder whose files were removed on purpose, so that they are marked as missing however many they are',
      ),
  }),
})
