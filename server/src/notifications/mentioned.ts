import { mentionsIn } from '#contract/mentions.ts'
import type { Tx } from '../db/schema.ts'
import { approvedUsernames } from './notifications.sql.ts'

/** Who is mentioned in a text, and was not yet in the one that stood there before. */
export async function newlyMentioned(tx: Tx, text: string, before = ''): Promise<number[]> {
  if (!text.includes('@')) return []
  const idOf = new Map((await approvedUsernames(tx)).map(({ id, username }) => [username, id]))
  const usernames = new Set(idOf.keys())
  const already = new Set(mentionsIn(before, usernames).map(mention => mention.username))
  const mentioned = new Set(mentionsIn(text, usernames).map(mention => mention.username))
  return [...mentioned].filter(username => !already.has(username)).flatMap(username => idOf.get(username) ?? [])
}
