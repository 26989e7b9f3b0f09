import { sql } from 'kysely'
import type { Handle, Tx } from '../../db/schema.ts'
import { inChunks } from '../../kit/in-chunks.ts'

export interface ZipDownload {
  personId: number
  /** Hash of the session token. */
  sessionId: string
  orderedAt: number
}

export async function insertZipDownload(
  tx: Tx,
  order: ZipDownload & { tokenHash: string; fileIds: readonly number[] },
): Promise<void> {
  await tx
    .insertInto('zip_downloads')
    .values({
      token_hash: order.tokenHash,
      person_id: order.personId,
      session_hash: order.sessionId,
      media_ids: JSON.stringify(order.fileIds),
      created_at: order.orderedAt,
    })
    .execute()
}

/** All but the latest of a person. */
export async function deleteOlderZipDownloads(tx: Tx, personId: number, kept: number): Promise<void> {
  const latest = await tx
    .selectFrom('zip_downloads')
    .select('token_hash')
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .limit(kept)
    .execute()
  if (latest.length < kept) return
  const tokens = latest.map(row => row.token_hash)
  await tx.deleteFrom('zip_downloads').where('person_id', '=', personId).where('token_hash', 'not in', tokens).execute()
}

/** Without the list of its files, which may be long. */
export async function findZipDownload(handle: Handle, tokenHash: string): Promise<ZipDownload | undefined> {
  const row = await handle
    .selectFrom('zip_downloads')
    .select(['person_id', 'session_hash', 'created_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  // Orders without a session are not valid.
  if (!row || row.session_hash === null) return undefined
  return { personId: row.person_id, sessionId: row.session_hash, orderedAt: row.created_at }
}

export async function findOrderedFiles(handle: Handle, tokenHash: string): Promise<number[]> {
  const query = handle.selectFrom('zip_downloads').select('media_ids').where('token_hash', '=', tokenHash)
  return JSON.parse((await query.executeTakeFirst())?.media_ids ?? '[]')
}

export async function deleteZipDownloads(handle: Handle, before: number): Promise<void> {
  await handle.deleteFrom('zip_downloads').where('created_at', '<', before).execute()
}

export interface ZippedPart {
  media_id: number
  kind: string
  key: string
  size: number
  original_name: string
  date_sort: number
  /** Null unless somebody has corrected the date. */
  corrected_edtf: string | null
  /** Null unless somebody has set another place. */
  corrected_latitude: number | null
  corrected_longitude: number | null
  /** Null unless somebody has written one. */
  written_caption: string | null
}

/** The uploaded parts of each file that is not deleted, in the order of the ids, some at a time. */
export async function* findZipFiles(handle: Handle, ids: readonly number[]): AsyncGenerator<ZippedPart[]> {
  for (const some of inChunks(new Set(ids))) {
    const parts = await handle
      .selectFrom('media')
      .innerJoin('media_parts', 'media_parts.media_id', 'media.id')
      .leftJoin('place_corrections', join =>
        join.onRef('place_corrections.media_id', '=', 'media.id').on('place_corrections.kind', '=', 'set'),
      )
      .select([
        'media_parts.media_id',
        'media_parts.kind',
        'media_parts.key',
        'media_parts.size',
        'media.original_name',
        'media.date_sort',
        'place_corrections.latitude as corrected_latitude',
        'place_corrections.longitude as corrected_longitude',
      ])
      .select(sql<string | null>`case when media.date_source = 'person' then media.date_edtf end`.as('corrected_edtf'))
      .select(
        sql<string | null>`case when media.caption_source = 'person' then media.caption end`.as('written_caption'),
      )
      .where('media.id', 'in', some)
      .where('media.deleted_at', 'is', null)
      // An archive with all the others is better than none.
      .where('media.missing_at', 'is', null)
      .where('media_parts.kind', 'in', ['original', 'motion'])
      // Descending, so that 'original' comes before 'motion'.
      .orderBy('media_parts.kind', 'desc')
      .execute()
    const place = new Map(some.map((id, i) => [id, i]))
    yield parts.sort((a, b) => (place.get(a.media_id) ?? 0) - (place.get(b.media_id) ?? 0))
  }
}
