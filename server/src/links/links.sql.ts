import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Handle, LinkRow, NewLink, PartKind, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

/** Whose links a person may see and end. */
export type MadeBy = { personId: number } | 'anyone'

function linksOf(handle: Handle, by: MadeBy) {
  const query = handle.selectFrom('links')
  return by === 'anyone' ? query : query.where('created_by', '=', by.personId)
}

/** Links that guests can open now. They end with the access of the person who made them. */
function openLinks(handle: Handle, now: number) {
  return handle
    .selectFrom('links')
    .innerJoin('people', 'people.id', 'links.created_by')
    .where('people.status', '=', 'approved')
    .where('links.ended_at', 'is', null)
    .where(eb => eb.or([eb('links.expires_at', 'is', null), eb('links.expires_at', '>', now)]))
}

/** The files that a link shows: every query for guests starts here. */
function filesOfLinks(handle: Handle) {
  return handle
    .selectFrom('link_files')
    .innerJoin('media', 'media.id', 'link_files.media_id')
    .where('media.deleted_at', 'is', null)
}

export async function insertLink(tx: Tx, link: NewLink, fileIds: readonly number[]): Promise<LinkRow> {
  const row = await tx.insertInto('links').values(link).returningAll().executeTakeFirstOrThrow()
  // Two values a row.
  for (const some of inChunks(fileIds, 500)) {
    const files = some.map(media_id => ({ link_id: row.id, media_id }))
    await tx.insertInto('link_files').values(files).execute()
  }
  return row
}

export async function countLinksOf(handle: Handle, personId: number): Promise<number> {
  const { count } = await handle
    .selectFrom('links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_by', '=', personId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function selectLinks(
  handle: Handle,
  by: MadeBy,
  page: { limit: number; before: number | undefined },
): Promise<LinkRow[]> {
  let query = linksOf(handle, by).selectAll().where('ended_at', 'is', null)
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  return query.orderBy('id', 'desc').limit(page.limit).execute()
}

/** Locked until the transaction ends. */
export async function lockLink(db: Database, tx: Tx, by: MadeBy, id: number): Promise<LinkRow | undefined> {
  return db.forUpdate(linksOf(tx, by).selectAll().where('id', '=', id)).executeTakeFirst()
}

export async function setEnded(tx: Tx, id: number, ended: { at: number; by: number } | null): Promise<void> {
  await tx
    .updateTable('links')
    .set({ ended_at: ended?.at ?? null, ended_by: ended?.by ?? null })
    .where('id', '=', id)
    .execute()
}

/** Ends all links of a person who lost access. */
export async function endLinksOf(tx: Tx, personId: number, at: number): Promise<void> {
  await tx
    .updateTable('links')
    .set({ ended_at: at })
    .where('created_by', '=', personId)
    .where('ended_at', 'is', null)
    .execute()
}

export async function deleteOldLinks(handle: Handle, before: number): Promise<void> {
  await handle
    .deleteFrom('links')
    .where(eb => eb.or([eb('ended_at', '<', before), eb('expires_at', '<', before)]))
    .execute()
}

/** How many files each of these links shows now. */
export async function countLinkFiles(handle: Handle, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await filesOfLinks(handle)
    .select(({ fn }) => ['link_files.link_id', fn.countAll<number>().as('files')])
    .where('link_files.link_id', 'in', ids)
    .groupBy('link_files.link_id')
    .execute()
  return new Map(rows.map(row => [row.link_id, Number(row.files)]))
}

export async function findPeopleById(handle: Handle, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { id: number; username: string; name: string }>()
  const people = await handle.selectFrom('people').select(['id', 'username', 'name']).where('id', 'in', ids).execute()
  return new Map(people.map(person => [person.id, person]))
}

/** Undefined for a link that does not exist, has ended or expired, or whose maker lost access. */
export async function findOpenLink(handle: Handle, id: number, now: number): Promise<LinkRow | undefined> {
  return openLinks(handle, now).selectAll('links').where('links.id', '=', id).executeTakeFirst()
}

export async function addView(handle: Handle, id: number, at: number): Promise<void> {
  await handle.updateTable('links').set({ views: sql`views + 1`, last_viewed_at: at }).where('id', '=', id).execute()
}

/** Oldest first. */
export async function selectSharedFiles(handle: Handle, linkId: number, page: { limit: number; offset: number }) {
  const has = (kind: PartKind) =>
    sql<number>`exists (select 1 from media_parts where media_parts.media_id = media.id and media_parts.kind = ${kind})`
  return filesOfLinks(handle)
    .select([
      'media.id',
      'media.file_type',
      'media.date_sort',
      'media.width',
      'media.height',
      'media.duration',
      'media.thumbhash',
    ])
    .select([has('desktop').as('has_pictures'), has('shared').as('has_video')])
    .where('link_files.link_id', '=', linkId)
    .orderBy('media.date_sort')
    .orderBy('media.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export interface SharedPart {
  kind: PartKind
  key: string
  size: number
  date_sort: number
  originals: number
}

/** One part of one file, if this link is open and shows the file. */
export async function findSharedPart(
  handle: Handle,
  at: { linkId: number; mediaId: number; kind: PartKind; now: number },
): Promise<SharedPart | undefined> {
  return openLinks(handle, at.now)
    .innerJoin(
      filesOfLinks(handle).select(['link_id', 'media_id', 'date_sort']).as('shown'),
      'shown.link_id',
      'links.id',
    )
    .innerJoin('media_parts', 'media_parts.media_id', 'shown.media_id')
    .select(['media_parts.kind', 'media_parts.key', 'media_parts.size', 'shown.date_sort', 'links.originals'])
    .where('links.id', '=', at.linkId)
    .where('shown.media_id', '=', at.mediaId)
    .where('media_parts.kind', '=', at.kind)
    .executeTakeFirst()
}

/** What a ZIP of a link holds: originals with their clips, or what was made without metadata. Oldest first. */
export async function selectSharedParts(handle: Handle, linkId: number, originals: boolean) {
  return filesOfLinks(handle)
    .innerJoin('media_parts', 'media_parts.media_id', 'media.id')
    .select(['media_parts.kind', 'media_parts.key', 'media_parts.size', 'media.date_sort'])
    .where('link_files.link_id', '=', linkId)
    .where(eb =>
      originals
        ? eb('media_parts.kind', 'in', ['original', 'motion'])
        : eb.or([
            eb.and([eb('media.file_type', '=', 'image'), eb('media_parts.kind', '=', 'desktop')]),
            eb.and([eb('media.file_type', '=', 'video'), eb('media_parts.kind', '=', 'shared')]),
          ]),
    )
    .orderBy('media.date_sort')
    .orderBy('media.id')
    .orderBy('media_parts.kind', 'desc')
    .execute()
}

/** The videos of a link that can be played, but have no copy for guests yet. */
export async function findVideosToCopy(handle: Handle, linkId: number): Promise<number[]> {
  const rows = await filesOfLinks(handle)
    .select('media.id')
    .where('link_files.link_id', '=', linkId)
    .where('media.file_type', '=', 'video')
    .where('media.shown_part', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('media_parts')
            .select('media_parts.key')
            .whereRef('media_parts.media_id', '=', 'media.id')
            .where('media_parts.kind', '=', 'shared'),
        ),
      ),
    )
    .execute()
  return rows.map(row => row.id)
}
