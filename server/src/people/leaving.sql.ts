import type { PersonRow, Schema, Tx } from '../db/schema.ts'

/** The stored issuer of closed accounts. Not an address, so no provider has it. */
const closedIssuer = 'closed'

/** What concerns this person alone, by `person_id`. */
const privateTables = [
  'notifications',
  'muted_notifications',
  'wanted_notifications',
  'visits',
  'hidden_memory_days',
  'hidden_memories',
  'put_away_cards',
  'mail_recipients',
] as const satisfies (keyof Schema)[]

export async function deletePrivateRows(tx: Tx, personId: number): Promise<void> {
  for (const table of privateTables) await tx.deleteFrom(table).where('person_id', '=', personId).execute()
}

/** The account at the provider is given free: a later sign-in with it finds nobody and asks for access. */
export async function closePerson(
  tx: Tx,
  { id, name, username }: Pick<PersonRow, 'id' | 'name' | 'username'>,
  at: number,
): Promise<void> {
  const account = { issuer: closedIssuer, subject: String(id), email: '', provider_name: null, provider_picture: null }
  await tx
    .updateTable('people')
    .set({ ...account, name, username, status: 'closed', role: 'viewer', reviewed_at: at, language: null })
    .where('id', '=', id)
    .execute()
}

/** The activity must not tell the names that somebody had before. */
export async function forgetFormerNames(tx: Tx, personId: number): Promise<void> {
  await tx
    .updateTable('audit_log')
    .set({ before: null })
    .where('subject_type', '=', 'person')
    .where('subject_id', '=', personId)
    .where('action', '=', 'person.rename')
    .execute()
}
