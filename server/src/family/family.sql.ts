import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../db/schema.ts'

/** Everybody who is or was let in. */
function family(handle: Handle) {
  return handle
    .selectFrom('people')
    .where(eb => eb(eb.fn.coalesce('active_status', 'status'), 'in', ['approved', 'revoked', 'closed']))
}

export async function everybody(handle: Handle) {
  return family(handle).select(['id', 'username', 'name', 'avatar_key', 'status']).execute()
}

/** By person. */
type Counts = Map<number, number>

function byPerson(rows: readonly { person: number; count: number }[]): Counts {
  return new Map(rows.map(({ person, count }) => [person, count]))
}

export async function countAdded(handle: Handle): Promise<Counts> {
  const rows = await handle
    .selectFrom('media')
    .select(({ fn }) => ['uploaded_by as person', fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .groupBy('uploaded_by')
    .execute()
  return byPerson(rows)
}

export async function countLoved(handle: Handle): Promise<Counts> {
  const rows = await handle
    .selectFrom('hearts')
    .innerJoin('media', 'media.id', 'hearts.media_id')
    .select(({ fn }) => ['hearts.person_id as person', fn.countAll<number>().as('count')])
    .where('media.deleted_at', 'is', null)
    .groupBy('hearts.person_id')
    .execute()
  return byPerson(rows)
}

/** As the page of a person lists them: not those on deleted files and albums. */
export async function countWritten(handle: Handle): Promise<Counts> {
  const rows = await handle
    .selectFrom('comments')
    .leftJoin('media', join => join.onRef('media.id', '=', 'comments.media_id').on('media.deleted_at', 'is', null))
    .leftJoin('albums', join => join.onRef('albums.id', '=', 'comments.album_id').on('albums.deleted_at', 'is', null))
    .select(({ fn }) => ['author_id as person', fn.countAll<number>().as('count')])
    .where('comments.deleted_at', 'is', null)
    .where(eb => eb.or([eb('media.id', 'is not', null), eb('albums.id', 'is not', null)]))
    .groupBy('author_id')
    .execute()
  return byPerson(rows)
}

/** The newest files of each person that can be shown, as their ids: one statement, each from the index of that person. */
export async function newestFiles(handle: Handle, count: number): Promise<{ person: number; files: number[] }[]> {
  const nth = (offset: number): RawBuilder<number | null> => sql`(select media.id from media
    where media.uploaded_by = people.id and media.deleted_at is null and media.status = 'ready'
    order by date_sort desc, heading_rank desc, media.id desc limit 1 offset ${sql.lit(offset)})`
  const rows = await family(handle)
    .select(['id', ...Array.from({ length: count }, (_, i) => nth(i).as(`file${i}`))])
    .execute()
  return rows.map(({ id, ...files }) => ({
    person: id,
    files: Object.values(files as Record<string, number | null>).filter(file => file !== null),
  }))
}
