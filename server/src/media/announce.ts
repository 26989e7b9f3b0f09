import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import { announce } from '../live/announce.ts'

/** Tells everyone that these files came, changed or went. */
export async function announceFiles(db: Database, tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await announce(db, tx, { kind: 'media', ids: [...ids] }, 'everyone')
}
