import type { Handle } from '../db/schema.ts'

export interface AlbumStats {
  files: number
  /** The headings of its earliest and latest file, in EDTF. */
  firstDate: string | null
  lastDate: string | null
  /** The chosen file if it is in the album, else its first one. */
  coverId: number | null
}

export interface SmartAlbumCount extends AlbumStats {
  videos: number
}

/** False if it was the same before. A count that was started later is kept. */
export async function storeSmartAlbumCount(
  handle: Handle,
  albumId: number,
  { files, videos, firstDate, lastDate, coverId }: SmartAlbumCount,
  countedAt: number,
): Promise<boolean> {
  const before = (await smartAlbumCounts(handle, [albumId])).get(albumId)
  const count = { files, videos, first_date: firstDate, last_date: lastDate, cover_id: coverId, counted_at: countedAt }
  await handle
    .insertInto('smart_album_counts')
    .values({ album_id: albumId, ...count })
    .onConflict(conflict =>
      conflict.column('album_id').doUpdateSet(count).where('smart_album_counts.counted_at', '<=', countedAt),
    )
    .execute()
  return (
    before?.files !== files ||
    before.videos !== videos ||
    before.firstDate !== firstDate ||
    before.lastDate !== lastDate ||
    before.coverId !== coverId
  )
}

/** The last counts of those among these albums that are smart and were counted. */
export async function smartAlbumCounts(
  handle: Handle,
  albumIds: readonly number[],
): Promise<Map<number, SmartAlbumCount>> {
  if (albumIds.length === 0) return new Map()
  const rows = await handle.selectFrom('smart_album_counts').selectAll().where('album_id', 'in', albumIds).execute()
  return new Map(
    rows.map(({ album_id, files, videos, first_date: firstDate, last_date: lastDate, cover_id: coverId }) => [
      album_id,
      { files, videos, firstDate, lastDate, coverId },
    ]),
  )
}
