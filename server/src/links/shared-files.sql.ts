import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Handle, PartKind, Schema } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { filesOfAlbum, inOrderOfAlbum } from '../media/public.ts'
import type { LinkWithAlbum } from './links.sql.ts'

/** The files that a link shows: every query for guests starts here. */
function filesOf(db: Database, { id, album }: LinkWithAlbum) {
  if (album) return filesOfAlbum(db, album)
  // An upload link has no files, and shows none of the album that they are sent to.
  const chosen = db.query.selectFrom('link_files').select('media_id').where('link_id', '=', id)
  return db.query.selectFrom('media').where('deleted_at', 'is', null).where('media.id', 'in', chosen)
}

function inOrderOfDate<Row>(query: SelectQueryBuilder<Schema, 'media', Row>) {
  return query.orderBy('media.date_sort_asc').orderBy('media.heading_rank').orderBy('media.id')
}

/** In the order of the album, else oldest first. */
function inOrder<Row>(query: SelectQueryBuilder<Schema, 'media', Row>, { album }: LinkWithAlbum) {
  return album ? inOrderOfAlbum(query, album) : inOrderOfDate(query)
}

export async function selectSharedFiles(
  db: Database,
  link: LinkWithAlbum,
  { limit, offset, ids }: { limit: number; offset: number; ids: readonly number[] | undefined },
) {
  const has = (kind: PartKind) =>
    sql<number>`exists (select 1 from media_parts where media_parts.media_id = media.id and media_parts.kind = ${kind})`
  const files = filesOf(db, link)
    .select(['media.id', 'media.file_type', 'media.date_edtf'])
    .select(['media.width', 'media.height', 'media.duration', 'media.thumbhash'])
    // Not read at all unless the link shows captions.
    .select((link.captions === 1 ? sql<string | null>`media.caption` : sql<string | null>`null`).as('caption'))
    .select([has('desktop').as('has_pictures'), has('shared').as('has_video')])
  const wanted = ids === undefined ? files : files.where('media.id', 'in', ids)
  return inOrder(wanted, link).limit(limit).offset(offset).execute()
}

export interface SharedPart {
  key: string
  size: number
  date_sort: number
  date_edtf: string | null
}

/** One part of one file, if the link shows the file. */
export async function findSharedPart(
  db: Database,
  link: LinkWithAlbum,
  { mediaId, kind }: { mediaId: number; kind: PartKind },
): Promise<SharedPart | undefined> {
  return filesOf(db, link)
    .innerJoin('media_parts', 'media_parts.media_id', 'media.id')
    .select(['media_parts.key', 'media_parts.size', 'media.date_sort', 'media.date_edtf'])
    .where('media.id', '=', mediaId)
    .where('media_parts.kind', '=', kind)
    .executeTakeFirst()
}

/** Oldest first. */
export async function selectSharedIds(db: Database, link: LinkWithAlbum): Promise<number[]> {
  const files = inOrderOfDate(filesOf(db, link).select('media.id'))
  return (await files.execute()).map(row => row.id)
}

/**
 * What a ZIP of these files holds: originals with their clips, or what was made without metadata. In the order of the ids,
 * some at a time.
 */
export async function* findPartsToZip(
  handle: Handle,
  ids: readonly number[],
  originals: boolean,
): AsyncGenerator<SharedPart[]> {
  for (const some of inChunks(ids)) {
    const parts = await handle
      .selectFrom('media')
      .innerJoin('media_parts', 'media_parts.media_id', 'media.id')
      .select(['media.id', 'media_parts.key', 'media_parts.size', 'media.date_sort', 'media.date_edtf'])
      .where('media.id', 'in', some)
      .where('media.deleted_at', 'is', null)
      .where(eb =>
        originals
          ? eb('media_parts.kind', 'in', ['original', 'motion'])
          : eb.or([
              eb.and([eb('media.file_type', '=', 'image'), eb('media_parts.kind', '=', 'desktop')]),
              eb.and([eb('media.file_type', '=', 'video'), eb('media_parts.kind', '=', 'shared')]),
            ]),
      )
      // Descending, so that 'original' comes before 'motion'.
      .orderBy('media_parts.kind', 'desc')
      .execute()
    const place = new Map(some.map((id, i) => [id, i]))
    yield parts.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  }
}

/** The videos of a link that can be played, but have no copy for guests yet. */
export async function findVideosToCopy(db: Database, link: LinkWithAlbum): Promise<number[]> {
  const rows = await filesOf(db, link)
    .select('media.id')
    .where('media.file_type', '=', 'video')
    .where('media.shown_part', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('media_parts')
            .select('media_parts.media_id')
            .whereRef('media_parts.media_id', '=', 'media.id')
            .where('media_parts.kind', '=', 'shared'),
        ),
      ),
    )
    .execute()
  return rows.map(row => row.id)
}
