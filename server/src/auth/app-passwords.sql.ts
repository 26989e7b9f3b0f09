import type { AppPasswordScope } from '#contract/app-passwords.ts'
import type { Handle, Tx } from '../db/schema.ts'
import { demoIssuer } from '../people/public.ts'
import type { DemoAccess } from './sessions.sql.ts'

/** Those of approved people, with these hashes. */
export async function findAppPasswords(handle: Handle, tokenHashes: readonly string[], { admitsDemo }: DemoAccess) {
  return handle
    .selectFrom('app_passwords')
    .innerJoin('people', 'people.id', 'app_passwords.person_id')
    .select(['app_passwords.id', 'token_hash', 'person_id', 'scope', 'last_used_at', 'role', 'username', 'email'])
    .where('token_hash', 'in', tokenHashes)
    .where('people.status', '=', 'approved')
    .$if(!admitsDemo, query => query.where('people.issuer', '!=', demoIssuer))
    .execute()
}

export async function appPasswordsOf(handle: Handle, personId: number) {
  return handle
    .selectFrom('app_passwords')
    .select(['id', 'name', 'scope', 'created_at', 'last_used_at', 'last_used_address'])
    .where('person_id', '=', personId)
    .orderBy('id', 'desc')
    .execute()
}

interface NewAppPassword {
  person_id: number
  token_hash: string
  name: string
  scope: AppPasswordScope
  created_at: number
}

export async function insertAppPassword(tx: Tx, values: NewAppPassword) {
  return tx.insertInto('app_passwords').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function touchAppPassword(handle: Handle, id: number, at: number, address: string): Promise<void> {
  const values = { last_used_at: at, last_used_address: address }
  await handle.updateTable('app_passwords').set(values).where('id', '=', id).execute()
}

export async function deleteAppPassword(tx: Tx, personId: number, id: number) {
  return tx
    .deleteFrom('app_passwords')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .returning(['token_hash', 'name'])
    .executeTakeFirst()
}

/** Resolves to whether there was any. */
export async function deleteAppPasswordsOf(tx: Tx, personId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('app_passwords').where('person_id', '=', personId).executeTakeFirst()
  return numDeletedRows > 0n
}
