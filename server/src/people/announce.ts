import type { Database } from '../db/database.ts'
import type { PersonRow, Tx } from '../db/schema.ts'
import { announce } from '../live/announce.ts'
import { approvedAdminIds } from './people.sql.ts'

/** Who belongs to the family concerns everyone; who asked to, and was turned away, the admins alone. */
export async function announcePerson(db: Database, tx: Tx, statuses: readonly PersonRow['status'][]): Promise<void> {
  const to = statuses.includes('approved') ? 'everyone' : await approvedAdminIds(tx)
  await announce(db, tx, { kind: 'people' }, to)
}
