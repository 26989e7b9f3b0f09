import { z } from 'zod'
import { ChangeId, Continues } from './changes.ts'
import { Id, IdInText, inText, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { ChangedFileIds, FileType } from './media.ts'
import { Person } from './people.ts'
import { refusal } from './refusal.ts'

/** A file in 'Recently deleted'. */
export const DeletedFile = z.object({
  id: Id,
  original_name: z.string(),
  file_type: FileType,
  file_size: z.number().int(),
  thumbnail_url: z.string().nullable(),
  preview_url: z.string().nullable().describe('A larger picture; of a video a still'),
  deleted_at: Moment,
  deleted_by: Person.nullable(),
  purged_at: Moment.describe('When the file is removed permanently'),
})
export type DeletedFile = z.infer<typeof DeletedFile>

const Whose = z
  .enum(['all', 'own'])
  .default('all')
  .describe('own: what others deleted of the files that the caller uploaded')

export const listDeleted = endpoint({
  method: 'GET',
  path: '/api/media/deleted',
  summary: 'Recently deleted files, newest first: those that the caller deleted or uploaded, for admins all',
  act: 'trash.restore',
  serializedPerPerson: true,
  query: z
    .object({
      limit: inText(z.number().int().min(1).max(500)).default(100),
      before: IdInText.optional().describe('For the next page: the `id` of the last file of this one'),
      whose: Whose,
      deleted_before: Moment.optional().describe('For the next page: its `deleted_at`'),
    })
    // Not looked up by the id: the file may have been restored or purged since.
    .refine(page => (page.before === undefined) === (page.deleted_before === undefined), refusal('trash.nextPage')),
  answer: z.array(DeletedFile),
})

export const deletedIds = endpoint({
  method: 'GET',
  path: '/api/media/deleted/ids',
  summary: 'The ids of the same files, in order: to choose them all',
  act: 'trash.restore',
  serializedPerPerson: true,
  query: z.object({ whose: Whose }),
  answer: z.object({ ids: z.array(Id) }),
})

export const restoreFiles = endpoint({
  method: 'POST',
  path: '/api/media/restore',
  summary: 'Bring deleted files back; those that are not among the recently deleted (any more) are skipped',
  act: 'trash.restore',
  serializedPerPerson: true,
  body: z.object({ fileIds: ChangedFileIds, continues: Continues }),
  answer: z.object({ restored: z.number().int().positive(), change_id: ChangeId }),
})
