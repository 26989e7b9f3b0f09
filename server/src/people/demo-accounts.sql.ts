import type { PersonStatus } from '#contract/people.ts'
import type { Tx } from '../db/schema.ts'

/** Under which issuer the demo's accounts are kept. The address of the demo holds its port, which may change. */
export const demoIssuer = 'demo'

/**
 * Anyone could choose to be one of them, so beside a real provider they are nobody: every query that asks who is
 * approved, an admin or waiting leaves them out, and their sessions and claims to e-mails end. What they added stays.
 */
export async function deactivateDemoAccounts(tx: Tx): Promise<number> {
  const demoPeople = tx.selectFrom('people').select('id').where('issuer', '=', demoIssuer)
  await tx.deleteFrom('sessions').where('person_id', 'in', demoPeople).execute()
  await tx.deleteFrom('email_claims').where('person_id', 'in', demoPeople).execute()
  const result = await tx
    .updateTable('people')
    .set(({ ref }) => ({ active_status: ref('status').$castTo<PersonStatus>(), status: 'inactive' }))
    .where('issuer', '=', demoIssuer)
    .where('status', '!=', 'inactive')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function activateDemoAccounts(tx: Tx): Promise<void> {
  await tx
    .updateTable('people')
    .set(({ ref }) => ({ status: ref('active_status').$notNull(), active_status: null }))
    .where('issuer', '=', demoIssuer)
    .where('status', '=', 'inactive')
    .where('active_status', 'is not', null)
    .execute()
}
