import type { Handle, Schema } from '../db/schema.ts'

export type SignInAttempt = Schema['sign_in_attempts']

export async function insertAttempt(handle: Handle, attempt: SignInAttempt): Promise<void> {
  await handle.insertInto('sign_in_attempts').values(attempt).execute()
}

/** Takes the attempt out as it reads it, so that a state works once. */
export async function takeAttempt(handle: Handle, stateHash: string): Promise<SignInAttempt | undefined> {
  return handle.deleteFrom('sign_in_attempts').where('state_hash', '=', stateHash).returningAll().executeTakeFirst()
}
