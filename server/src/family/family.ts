import type { Answer } from '#contract/endpoint.ts'
import type { FamilyMember, listFamily } from '#contract/family.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../kit/serve.ts'
import { fileCards } from '../media/public.ts'
import { type AvatarUrl, emailsOfNamesakes } from '../people/public.ts'
import type { Storage } from '../storage/storage.ts'
import { countAdded, countLoved, countWritten, everybody, newestFiles } from './family.sql.ts'

export interface FamilyDeps {
  db: Database
  storage: Pick<Storage, 'signedUrl'>
  avatarUrl: AvatarUrl
}

/** As many as a card of the page shows. */
const RECENT = 3

/** Everybody with what they left, in the same number of queries for any number of people. */
export async function familyMembers(
  { db, storage, avatarUrl }: FamilyDeps,
  caller: Pick<Caller, 'role'>,
): Promise<Answer<typeof listFamily>> {
  const handle = db.query
  const [people, added, loved, written, newest, emails] = await Promise.all([
    everybody(handle),
    countAdded(handle),
    countLoved(handle),
    countWritten(handle),
    newestFiles(handle, RECENT),
    emailsOfNamesakes(handle, caller),
  ])
  const files = new Map(newest.map(({ person, files }) => [person, files]))
  const cards = await fileCards(
    handle,
    storage,
    newest.flatMap(({ files }) => files),
  )
  const members = people.map(({ id, username, name, avatar_key, status }): FamilyMember => {
    const recent = (files.get(id) ?? []).flatMap(file => cards.get(file) ?? [])
    return {
      ...{ id, username, name, email: emails.get(id), former: status !== 'approved' },
      avatar_url: avatar_key && avatarUrl(avatar_key),
      added: added.get(id) ?? 0,
      loved: loved.get(id) ?? 0,
      written: written.get(id) ?? 0,
      recent: recent.map(({ id: media_id, thumbnail_url, thumbhash }) => ({ media_id, thumbnail_url, thumbhash })),
    }
  })
  return { members: members.filter(hasLeftSomething).sort(byName) }
}

/** Of people who can no longer sign in only those whose photos or words are still here. */
function hasLeftSomething({ former, added, written }: FamilyMember): boolean {
  return !former || added + written > 0
}

const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

function byName(a: FamilyMember, b: FamilyMember): number {
  return Number(a.former) - Number(b.former) || compare(a.name, b.name) || a.id - b.id
}
