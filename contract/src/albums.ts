import { z } from 'zod'
import { asName, Id, IdInPath, IdInText, inText, isVisible, Moment, withoutControlCharacters } from './common.ts'
import { endpoint } from './endpoint.ts'
import { albums, lengths } from './limits.ts'
import { ChangedFileIds, ReadFileIds } from './media.ts'
import { givenFilters, SharedFilter } from './media-filter.ts'
import { NewNote, Note, NoteChange, PageOfComments, PageOfPerson } from './notes.ts'
import { Person } from './people.ts'
import { refusal } from './refusal.ts'

export const AlbumTitle = z
  .string()
  .overwrite(asName)
  .max(lengths.albumTitle, refusal('albums.titleTooLong', { count: lengths.albumTitle }))
  .refine(isVisible, refusal('albums.titleMissing'))

export const AlbumDescription = z
  .string()
  .overwrite(withoutControlCharacters)
  .trim()
  .max(lengths.albumDescription, refusal('albums.descriptionTooLong', { count: lengths.albumDescription }))

/** `manual`: as people have put them. A smart album has no manual order, because its files change by themselves. */
export const AlbumOrder = z.enum(['oldest', 'newest', 'manual'])
export type AlbumOrder = z.infer<typeof AlbumOrder>

/** What fills a smart album: at least one filter. */
export const AlbumSearch = SharedFilter.refine(filter => givenFilters(filter).length > 0, refusal('albums.noFilter'))
export type AlbumSearch = z.infer<typeof AlbumSearch>

export const Album = z.object({
  id: Id,
  title: z.string(),
  description: z.string(),
  order: AlbumOrder,
  search: AlbumSearch.nullable().describe('What fills a smart album; null where people add the files'),
  file_count: z.number().int().nonnegative(),
  first_date: z
    .string()
    .nullable()
    .describe(
      'The earliest date of its files as far as it is known, in EDTF: 2026-06-14, 1985-07, 1974 or 196X; null: none has one',
    ),
  last_date: z.string().nullable(),
  cover: z
    .object({
      media_id: Id,
      thumbnail_url: z.string(),
      website_url: z.string().describe('At most 1920 px'),
      width: z.number().int().nullable(),
      height: z.number().int().nullable(),
      thumbhash: z.string().nullable(),
      chosen: z.boolean().describe('Whether somebody chose it; else it is the first file'),
    })
    .nullable(),
  created_at: Moment,
  created_by: Person,
})
export type Album = z.infer<typeof Album>

export const AlbumWithKinds = Album.extend({
  video_count: z.number().int().nonnegative().describe('How many of its files are videos'),
  has_captions: z
    .boolean()
    .default(false)
    .describe('Whether one of its files has a caption: then its page has room for them. False for smart albums'),
})
export type AlbumWithKinds = z.infer<typeof AlbumWithKinds>

export const listAlbums = endpoint({
  method: 'GET',
  path: '/api/albums',
  summary: 'Albums, the newest first',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  query: z.object({
    limit: inText(z.number().int().min(1).max(albums.page)).default(albums.page),
    before: IdInText.optional().describe('Only albums with a lower id than this one'),
    search: z.string().trim().max(200).optional().describe('Part of the title, whatever case or accents'),
  }),
  answer: z.array(Album),
})

export const getAlbum = endpoint({
  method: 'GET',
  path: '/api/albums/:id',
  summary: 'One album. Its files are listed by `GET /api/media` and the like with `album`',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  params: IdInPath,
  answer: AlbumWithKinds,
})

export const createAlbum = endpoint({
  method: 'POST',
  path: '/api/albums',
  summary: 'Make an album, with some files already, or a smart album that a search fills',
  act: 'albums.edit',
  serializedPerPerson: true,
  body: z.object({
    title: AlbumTitle,
    description: AlbumDescription.default(''),
    fileIds: ChangedFileIds.optional(),
    search: AlbumSearch.optional().describe('For a smart album, which takes no files'),
  }),
  status: 201,
  answer: Album,
})

const changeable = {
  title: AlbumTitle.optional(),
  description: AlbumDescription.optional(),
  order: AlbumOrder.optional(),
  cover_id: Id.nullable().optional().describe('A file of the album; null: its first file'),
  search: AlbumSearch.optional(),
}

export const updateAlbum = endpoint({
  method: 'PATCH',
  path: '/api/albums/:id',
  summary: 'Change the title, text, cover, order or search of an album: who made it, or an admin',
  act: 'albums.edit',
  serializedPerPerson: true,
  params: IdInPath,
  body: z
    .object({
      ...changeable,
      expected: z
        .object(changeable)
        .optional()
        .describe('For an undo: what is taken back; 409 if it is different by now'),
    })
    .refine(
      ({ expected: _, ...change }) => Object.values(change).some(value => value !== undefined),
      refusal('request.noChange'),
    ),
  answer: Album,
})

export const deleteAlbum = endpoint({
  method: 'DELETE',
  path: '/api/albums/:id',
  summary: 'Delete an album, but none of its files: who made it, or an admin',
  act: 'albums.edit',
  serializedPerPerson: true,
  params: IdInPath,
})

export const restoreAlbum = endpoint({
  method: 'POST',
  path: '/api/albums/:id/restore',
  summary: 'Bring back a deleted album, for as long as deleted files: who deleted it, or an admin',
  act: 'albums.edit',
  serializedPerPerson: true,
  params: IdInPath,
  answer: Album,
})

export const addToAlbum = endpoint({
  method: 'POST',
  path: '/api/albums/:id/files',
  summary: 'Add files to an album; those that it has already stay where they are',
  act: 'albums.edit',
  serializedPerPerson: true,
  params: IdInPath,
  body: z.object({ fileIds: ChangedFileIds }),
  answer: z.object({
    added: z.number().int().nonnegative(),
    fileIds: z.array(Id).describe('The files that this call added: what it takes to undo it'),
  }),
})

export const removeFromAlbum = endpoint({
  method: 'POST',
  path: '/api/albums/:id/remove-files',
  summary: 'Take files out of an album: who added them, who made the album, or an admin. The files stay in the library',
  act: 'albums.edit',
  serializedPerPerson: true,
  params: IdInPath,
  body: z.object({ fileIds: ChangedFileIds }),
  answer: z.object({
    removed: z.number().int().nonnegative(),
    fileIds: z.array(Id).describe('The files that this call removed: what it takes to undo it'),
    kept: z.number().int().nonnegative().describe('Files that somebody else added, which the caller may not remove'),
  }),
})

export const restoreToAlbum = endpoint({
  method: 'POST',
  path: '/api/albums/:id/restore-files',
  summary: 'Undo a removal: the files are back in their places, with who added them',
  act: 'albums.edit',
  serializedPerPerson: true,
  params: IdInPath,
  body: z.object({ fileIds: ChangedFileIds }),
  answer: z.object({ restored: z.number().int().nonnegative() }),
})

export const reorderAlbum = endpoint({
  method: 'POST',
  path: '/api/albums/:id/reorder',
  summary: 'Put files of an album with a manual order before another one, in the order that they have',
  act: 'albums.edit',
  serializedPerPerson: true,
  params: IdInPath,
  body: z.object({
    fileIds: ReadFileIds,
    before: Id.nullable().describe('One that is not moved itself; null: at the end'),
  }),
  answer: z.object({
    from: z
      .array(z.object({ fileIds: z.array(Id), before: Id.nullable() }))
      .describe('Where the files were, as calls that put them back'),
  }),
})

export const AlbumOfFile = z.object({
  id: Id,
  title: z.string(),
  added_by: Person,
  guest: z.string().nullable().describe('The guest who sent it, if `added_by` took it in'),
  added_at: Moment,
  removable: z.boolean().describe('Whether the caller may take the file out of it'),
})
export type AlbumOfFile = z.infer<typeof AlbumOfFile>

export const albumsOfFile = endpoint({
  method: 'GET',
  path: '/api/media/:id/albums',
  summary: 'The albums that people have added a file to, with who added it; without smart albums',
  act: 'media.see',
  offline: true,
  params: IdInPath,
  answer: z.array(AlbumOfFile),
})

/** A note on an album instead of a file. */
const AlbumComment = Note

export const listAlbumComments = endpoint({
  method: 'GET',
  path: '/api/albums/:id/comments',
  summary: 'The latest comments on an album, oldest first',
  act: 'media.see',
  offline: true,
  params: IdInPath,
  query: PageOfComments,
  answer: z.array(AlbumComment),
})

export const albumCommentsByPerson = endpoint({
  method: 'GET',
  path: '/api/users/:id/album-comments',
  summary: 'The comments on albums that a person wrote, newest first; none on deleted albums',
  act: 'media.see',
  params: IdInPath,
  query: PageOfPerson,
  answer: z.array(
    AlbumComment.pick({ id: true, content: true, created_at: true }).extend({ album_id: Id, album_title: z.string() }),
  ),
})

export const addAlbumComment = endpoint({
  method: 'POST',
  path: '/api/albums/:id/comments',
  summary: 'Write a comment on an album',
  act: 'notes.write',
  params: IdInPath,
  body: NewNote,
  status: 201,
  answer: AlbumComment,
})

export const updateAlbumComment = endpoint({
  method: 'PUT',
  path: '/api/albums/comments/:id',
  summary: 'Change a comment; the last change wins',
  act: 'notes.write',
  params: IdInPath,
  body: NoteChange,
  answer: AlbumComment,
})

export const deleteAlbumComment = endpoint({
  method: 'DELETE',
  path: '/api/albums/comments/:id',
  summary: 'Delete a comment',
  act: 'notes.write',
  params: IdInPath,
})

export const restoreAlbumComment = endpoint({
  method: 'POST',
  path: '/api/albums/comments/:id/restore',
  summary: 'Bring back a deleted comment, for as long as deleted files: who deleted it, its author or an admin',
  act: 'notes.write',
  params: IdInPath,
  answer: AlbumComment,
})
