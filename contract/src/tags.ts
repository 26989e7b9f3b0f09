import { z } from 'zod'
import { Continues, changeAnswer } from './changes.ts'
import { asName, Id, IdInPath, isVisible } from './common.ts'
import { endpoint } from './endpoint.ts'
import { lengths } from './limits.ts'
import { ChangedFileIds } from './media.ts'
import { refusal } from './refusal.ts'

export const Tag = z.object({ id: Id, name: z.string() })
export type Tag = z.infer<typeof Tag>

export const TagName = z
  .string()
  .overwrite(asName)
  .max(lengths.tag, refusal('tags.tooLong', { count: lengths.tag }))
  .refine(isVisible, refusal('tags.missing'))

export const listTags = endpoint({
  method: 'GET',
  path: '/api/tags',
  summary: "The family's tags, the most used first: what a field for a new tag suggests",
  act: 'media.see',
  offline: true,
  answer: z.array(Tag.extend({ file_count: z.number().int().nonnegative() })),
})

export const tagsOfFile = endpoint({
  method: 'GET',
  path: '/api/tags/media/:id',
  summary: 'The tags of a file',
  act: 'media.see',
  offline: true,
  params: IdInPath,
  answer: z.array(Tag),
})

export const addTag = endpoint({
  method: 'POST',
  path: '/api/tags/media/:id',
  summary: 'Put a tag on a file; one that is there already stays',
  act: 'media.edit',
  params: IdInPath,
  body: z.object({ tagName: TagName }),
  status: 201,
  answer: Tag.extend({
    added: z.boolean().describe('False: the file had it already'),
    change_id: changeAnswer.change_id,
  }),
})

export const tagFiles = endpoint({
  method: 'POST',
  path: '/api/tags/media',
  summary: 'Put a tag on many files at once; files already gone are skipped',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({ fileIds: ChangedFileIds, tagName: TagName, continues: Continues }),
  answer: z.object({
    tagged: z.number().int().nonnegative(),
    tagId: Id.nullable().describe('Null: all files were gone'),
    ...changeAnswer,
  }),
})

export const untagFiles = endpoint({
  method: 'POST',
  path: '/api/tags/media/remove',
  summary: 'Take a tag from many files at once; files that do not have it are skipped',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({ fileIds: ChangedFileIds, tagId: Id, continues: Continues }),
  answer: z.object(changeAnswer),
})

export const removeTag = endpoint({
  method: 'DELETE',
  path: '/api/tags/media/:id/:tagId',
  summary: 'Take a tag from a file',
  act: 'media.edit',
  params: IdInPath.extend({ tagId: IdInPath.shape.id }),
})
