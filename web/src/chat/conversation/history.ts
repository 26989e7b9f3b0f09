import type { Message } from '#contract/chat.ts'

/** The part of a conversation that has been read, oldest first. */
export interface History {
  messages: readonly Message[]
  /** There is no gap up to this message. What was sent from here may stand behind it, before what others said meanwhile. */
  upTo: number
  /** Whether it goes back to the first message of all. */
  complete: boolean
  /** The message that was the oldest when the conversation was opened: rows are counted from it, in both directions. */
  pivot: number
}

/** At most `limit` messages before one, or the newest; oldest first. */
export type FetchPage = (limit: number, before?: number) => Promise<Message[]>

/** How many messages open a conversation, and how many come at a time after that. */
const PAGE = 50
const CATCH_UP = 200
/** Whoever missed more than this begins anew at the newest. */
const MAX_CATCH_UP = 2_000

/**
 * The newest messages, as far back as they join what is known. `known` is asked at the end: older messages may have
 * come while these were read.
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

/** One message more: sent from here and confirmed. */
export function withMessage(history: History, message: Message): History {
  return { ...history, messages: mergeMessages(history.messages, [message]) }
}

/** Every message once, in order; the ones read last count. What did not change stays the same object. */
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
