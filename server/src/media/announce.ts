import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import { announce } from '../live/announce.ts'

/** Notifies all clients that these files were added, changed or removed. */
export async function announceFiles(db: Database, tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await announce(db, tx, { kind: 'media', ids: [...ids] }, 'everyone')
}
