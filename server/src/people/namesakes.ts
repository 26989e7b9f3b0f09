import { comparableName } from '#contract/common.ts'
import { can } from '#contract/rights.ts'
import type { Handle } from '../db/schema.ts'
import type { Caller } from '../kit/serve.ts'
import { namesAndEmails } from './people.sql.ts'

/** The e-mails of all people whose name somebody else has too, by id. For admins; others may not know them. */
export async function emailsOfNamesakes(handle: Handle, { role }: Pick<Caller, 'role'>): Promise<Map<number, string>> {
  if (!can(role, 'people.review')) return new Map()
  const groups = Map.groupBy(await namesAndEmails(handle), person => comparableName(person.name))
  // A closed account has none any more.
  const namesakes = [...groups.values()]
    .filter(group => group.length > 1)
    .flat()
    .filter(({ email }) => email !== '')
  return new Map(namesakes.map(({ id, email }) => [id, email]))
}
