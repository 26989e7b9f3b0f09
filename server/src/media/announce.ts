import { can } from '#contract/rights.ts'
import { Role } from '#contract/role.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import { announce, MAX_IDS } from '../live/announce.ts'
import { approvedWithRoles, hiddenAmong } from './hidden-files.sql.ts'

/** Notifies all clients that these files were added, changed or removed. Of hidden ones, only who may review them learns. */
export async function announceFiles(db: Database, tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  // An event about more files names none.
  const hidden = ids.length > MAX_IDS ? new Set<number>() : await hiddenAmong(tx, ids)
  const ofLibrary = ids.filter(id => !hidden.has(id))
  if (ofLibrary.length > 0) await announce(db, tx, { kind: 'media', ids: ofLibrary }, 'everyone')
  if (hidden.size > 0) await announceGuestFiles(db, tx)
}

const reviewers = Role.options.filter(role => can(role, 'albums.edit'))

/** Files of guests have arrived or changed, or somebody has decided on some. Nobody else learns of them. */
export async function announceGuestFiles(db: Database, tx: Tx): Promise<void> {
  await announce(db, tx, { kind: 'guest-uploads' }, await approvedWithRoles(tx, reviewers))
}
