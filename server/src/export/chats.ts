import type { Snapshot } from '../db/snapshot.sql.ts'
import { toIso } from '../kit/clock.ts'
import { createUniqueNames } from '../media/public.ts'
import { type ExportedEntry, textEntry } from './contents.ts'
import { chatsOf, messagesOf } from './library.sql.ts'

/** The conversations of one person, as text and as JSON. One at a time is in memory. */
export async function* chatEntries(snapshot: Snapshot, personId: number): AsyncGenerator<ExportedEntry[]> {
  const nameFor = createUniqueNames()
  for (const { id, title, people } of await chatsOf(snapshot, personId)) {
    const messages = await messagesOf(snapshot, id)
    const name = nameFor(`${title}.txt`).slice(0, -'.txt'.length)
    const text = messages.map(({ by, at, text, file }) => {
      const said = [text, file && `[${file}]`].filter(Boolean).join(' ')
      return `${toIso(at).slice(0, 16).replace('T', ' ')} UTC  ${by.name}: ${said}\n`
    })
    const json = { title, people, messages: messages.map(message => ({ ...message, at: toIso(message.at) })) }
    yield [
      textEntry({ path: `chats/${name}.txt`, text: text.join('') }),
      textEntry({ path: `chats/${name}.json`, text: `${JSON.stringify(json, null, 2)}\n` }),
    ]
  }
}
