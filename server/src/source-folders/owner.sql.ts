import type { Handle } from '../db/schema.ts'

/** Whose files those of the folders become: the person with that e-mail, or the first admin. */
export async function ownerOfFolders(handle: Handle, email: string | undefined): Promise<number | undefined> {
  let query = handle.selectFrom('people').select('id').where('status', '=', 'approved').orderBy('id')
  query = email === undefined ? query.where('role', '=', 'admin') : query.where('email', '=', email)
  return (await query.executeTakeFirst())?.id
}
