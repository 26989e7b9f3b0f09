import type { Handle } from '../../db/schema.ts'
import { comparableEmail } from '../../people/public.ts'
import { CommandError } from '../command.ts'

export interface Uploader {
  id: number
  name: string
}

/** The owner of the imported files: the person with that e-mail, or the first admin. */
export async function findUploader(handle: Handle, email: string | undefined): Promise<Uploader> {
  let query = handle.selectFrom('people').select(['id', 'name']).where('status', '=', 'approved').orderBy('id')
  query = email === undefined ? query.where('role', '=', 'admin') : query.where('email', '=', comparableEmail(email))
  const person = await query.executeTakeFirst()
  if (person) return person
  throw new CommandError(
    email === undefined
      ? 'Files belong to somebody, and no admin has ever signed in. Start Heirloom, sign in once, stop it, and run this again.'
      : `Nobody with the e-mail ${email} has been let into this library.`,
  )
}
