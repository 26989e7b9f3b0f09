import { can } from '#contract/rights.ts'
import type { Database } from '../db/database.ts'
import type { PersonRow, Tx } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { personById } from './people.sql.ts'

/**
 * Decisions of admins are made one after the other, and only by people who are still admins: the role was checked
 * before the request waited for the decisions of others. Returns the admin.
 */
export async function lockAdmins(db: Database, tx: Tx, adminId: number): Promise<PersonRow> {
  await db.advisoryLock(tx, 'admins')
  const admin = await personById(tx, adminId)
  if (admin?.status !== 'approved' || !can(admin.role, 'people.review')) {
    throw new AppError('forbidden', 'auth.adminsOnly')
  }
  return admin
}
