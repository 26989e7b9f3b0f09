import type { SharedFile } from '#contract/chat.ts'
import type { Handle } from '../db/schema.ts'
import type { Storage } from '../storage/storage.ts'
import { findCards } from './media.sql.ts'

/** The columns that a card shows of each file, by id. Deleted files are missing. */
export async function fileCards(
  handle: Handle,
  storage: Pick<Storage, 'signedUrl'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SharedFile>> {
  const files = await findCards(handle, [...new Set(ids)])
  return new Map(
    files.map(({ thumbnail_key, ...file }) => [
      file.id,
      { ...file, thumbnail_url: thumbnail_key && storage.signedUrl(thumbnail_key) },
    ]),
  )
}
