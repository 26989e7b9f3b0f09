import { sql } from 'kysely'
import { mail as limits } from '#contract/limits.ts'
import type { Handle } from '../db/schema.ts'

/** What others did for a person to read, from `since` until `until`, in epoch milliseconds. */
export interface Period {
  personId: number
  since: number
  until: number
}

function added(handle: Handle, { personId, since, until }: Period) {
  return handle
    .selectFrom('media')
    .where('media.deleted_at', 'is', null)
    .where('media.uploaded_at', '>', since)
    .where('media.uploaded_at', '<=', until)
    .where('media.uploaded_by', '<>', personId)
}

/** Who added how many files, most first. */
export async function selectUploaders(handle: Handle, period: Period) {
  return added(handle, period)
    .innerJoin('people', 'people.id', 'media.uploaded_by')
    .select(({ fn }) => [
      'people.name',
      fn.countAll<number>().as('files'),
      sql<number>`sum(case media.file_type when 'image' then 1 else 0 end)`.as('photos'),
    ])
    .groupBy(['people.id', 'people.name'])
    .orderBy('files', 'desc')
    .orderBy('people.id')
    .execute()
}

/** The latest that have a small JPEG. Screenshots and drawings, whose pictures are PNG, are left out. */
export async function selectPictures(handle: Handle, period: Period) {
  return added(handle, period)
    .innerJoin('media_parts', join =>
      join.onRef('media_parts.media_id', '=', 'media.id').on('media_parts.kind', '=', 'thumbnail'),
    )
    .select(['media.id', 'media_parts.key', 'media_parts.width', 'media_parts.height'])
    .where('media.status', '=', 'ready')
    .where('media_parts.mime_type', '=', 'image/jpeg')
    .where('media_parts.size', '<=', limits.pictureBytes)
    .orderBy('media.uploaded_at', 'desc')
    .orderBy('media.id', 'desc')
    .limit(limits.pictures)
    .execute()
}

/** The latest notes on files and comments on albums. */
export async function selectNotes(handle: Handle, { personId, since, until }: Period) {
  return handle
    .selectFrom('comments')
    .innerJoin('people', 'people.id', 'comments.author_id')
    .leftJoin('media', join => join.onRef('media.id', '=', 'comments.media_id').on('media.deleted_at', 'is', null))
    .leftJoin('albums', join => join.onRef('albums.id', '=', 'comments.album_id').on('albums.deleted_at', 'is', null))
    .select(({ fn }) => [
      'comments.id',
      'people.name',
      sql<string>`substr(comments.content, 1, 1000)`.as('content'),
      'media.id as media_id',
      'media.caption',
      'media.file_type',
      'albums.id as album_id',
      'albums.title',
      fn.agg<number>('count', ['comments.id']).over().as('all'),
    ])
    .where('comments.deleted_at', 'is', null)
    .where('comments.author_id', '<>', personId)
    .where('comments.created_at', '>', since)
    .where('comments.created_at', '<=', until)
    .where(({ or, eb }) => or([eb('media.id', 'is not', null), eb('albums.id', 'is not', null)]))
    .orderBy('comments.id', 'desc')
    .limit(limits.lines)
    .execute()
}

/** Who loves how many of the person's own files. */
export async function selectHearts(handle: Handle, { personId, since, until }: Period) {
  return handle
    .selectFrom('hearts')
    .innerJoin('media', 'media.id', 'hearts.media_id')
    .innerJoin('people', 'people.id', 'hearts.person_id')
    .select(({ fn }) => ['people.name', fn.countAll<number>().as('files')])
    .where('hearts.created_at', '>', since)
    .where('hearts.created_at', '<=', until)
    .where('hearts.person_id', '<>', personId)
    .where('media.deleted_at', 'is', null)
    .where('media.uploaded_by', '=', personId)
    .groupBy(['people.id', 'people.name'])
    .orderBy('files', 'desc')
    .orderBy('people.id')
    .execute()
}

/** The latest albums of others. */
export async function selectNewAlbums(handle: Handle, { personId, since, until }: Period) {
  return handle
    .selectFrom('albums')
    .innerJoin('people', 'people.id', 'albums.created_by')
    .select(['albums.id', 'albums.title', 'people.name'])
    .where('albums.deleted_at', 'is', null)
    .where('albums.created_by', '<>', personId)
    .where('albums.created_at', '>', since)
    .where('albums.created_at', '<=', until)
    .orderBy('albums.id', 'desc')
    .execute()
}
