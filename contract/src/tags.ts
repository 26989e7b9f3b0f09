import { z } from 'zod'
import { asName, Id, IdInPath, isVisible } from './common.ts'
import { endpoint } from './endpoint.ts'
import { lengths } from './limits.ts'
import { FileIds } from './media.ts'

export const Tag = z.object({ id: Id, name: z.string() })
export type Tag = z.infer<typeof Tag>

export const TagName = z
  .string()
  .overwrite(asName)
  .max(lengths.tag, `A tag has at most ${lengths.tag} characters.`)
  .refine(isVisible, 'Please enter a tag.')

export const listTags = endpoint({
  method: 'GET',
  path: '/api/tags',
  summary: "The family's tags, the most used first: what a field for a new tag suggests",
  act: 'media.see',
  answer: z.array(Tag.extend({ file_count: z.number().int().nonnegative() })),
})

export const tagsOfFile = endpoint({
  method: 'GET',
  path: '/api/tags/media/:id',
  summary: 'The tags of a file',
  act: 'media.see',
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
  answer: Tag.extend({ added: z.boolean().describe('False: the file had it already, so there is nothing to undo') }),
})

export const tagFiles = endpoint({
  method: 'POST',
  path: '/api/tags/media',
  summary: 'Put a tag on many files at once; files already gone are skipped',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({ fileIds: FileIds, tagName: TagName }),
  answer: z.object({
    tagged: z.number().int().nonnegative(),
    tagId: Id.nullable().describe('Null: all files were gone'),
    fileIds: z.array(Id).describe('The files that did not have the tag before: what it takes to undo it'),
  }),
})

export const untagFiles = endpoint({
  method: 'POST',
  path: '/api/tags/media/remove',
  summary: 'Take a tag from many files at once; files that do not have it are skipped',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({ fileIds: FileIds, tagId: Id }),
  answer: z.object({ untagged: z.number().int().nonnegative() }),
})

export const removeTag = endpoint({
  method: 'DELETE',
  path: '/api/tags/media/:id/:tagId',
  summary: 'Take a tag from a file',
  act: 'media.edit',
  params: IdInPath.extend({ tagId: IdInPath.shape.id }),
})
