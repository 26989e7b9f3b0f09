import type { Message } from '#contract/chat.ts'

/** The fetched part of a conversation, oldest first. */
export interface History {
  messages: readonly Message[]
  /** No messages are missing up to this id. Own messages after it may precede unfetched messages of others. */
  upTo: number
  /** Whether it includes the first message. */
  complete: boolean
  /** The oldest message when the conversation was opened: blocks of rows are counted from it in both directions. */
  pivot: number
}

/** At most `limit` messages before a cursor, or the newest; oldest first. */
export type FetchPage = (limit: number, before?: number) => Promise<Message[]>

/** The page size for opening a conversation, and for catching up on missed messages. */
const PAGE = 50
const CATCH_UP = 200
/** After more missed messages than this, the history starts again at the newest page. */
const MAX_CATCH_UP = 2_000

/**
 * Fetches the newest messages, back to the ones already known. `known` is called at the end, because older messages may
 * have been loaded during the fetch.
 */
export async function fetchNewest(readPage: FetchPage, known: () => History | undefined): Promise<History> {
  let fetched = await readPage(PAGE)
  let complete = fetched.length < PAGE
  const knownUpTo = known()?.upTo ?? Number.POSITIVE_INFINITY
  while (!complete && first(fetched) > knownUpTo && fetched.length < MAX_CATCH_UP) {
    const older = await readPage(CATCH_UP, first(fetched))
    complete = older.length < CATCH_UP
    fetched = [...older, ...fetched]
  }
  const before = known()
  const upTo = fetched.at(-1)?.id ?? 0
  const joins = before !== undefined && (complete || first(fetched) <= knownUpTo)
  if (!joins || before.messages.length === 0) return { messages: fetched, upTo, complete, pivot: first(fetched) }
  return { ...before, messages: mergeMessages(before.messages, fetched), upTo, complete: complete || before.complete }
}

export async function fetchOlder(readPage: FetchPage, history: History): Promise<(now: History) => History> {
  const older = await readPage(PAGE, history.messages[0]?.id)
  return now => ({ ...now, messages: mergeMessages(now.messages, older), complete: older.length < PAGE })
}

/** Adds a message that was sent from here. */
export function withMessage(history: History, message: Message): History {
  return { ...history, messages: mergeMessages(history.messages, [message]) }
}

/** Deduplicates and sorts; fetched messages win. Unchanged messages keep their identity. */
function mergeMessages(known: readonly Message[], fetched: readonly Message[]): readonly Message[] {
  const byId = new Map(known.map(message => [message.id, message]))
  for (const message of fetched) {
    const before = byId.get(message.id)
    if (before === undefined || !isSame(before, message)) byId.set(message.id, message)
  }
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

function isSame(a: Message, b: Message): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function first(messages: readonly Message[]): number {
  return messages[0]?.id ?? 0
}
