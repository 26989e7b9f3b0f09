export interface RawAnswer {
  response: Response
  text: string
}

declare global {
  /** What app/ahead.ts asked for before the program was there, by address. */
  var askedAhead: { token: string; at: number; answers: Map<string, Promise<RawAnswer>> } | undefined
}

/** An answer that was asked for ahead tells how things are now for no longer than this. */
const FRESH_MS = 10_000

/** Hands an answer over to the first who wants it; undefined where nobody asked, or for somebody else. */
export function takeAhead(token: string | null, address: string): Promise<RawAnswer> | undefined {
  const asked = globalThis.askedAhead
  if (asked === undefined || asked.token !== token || Date.now() - asked.at > FRESH_MS) return undefined
  const answer = asked.answers.get(address)
  asked.answers.delete(address)
  return answer
}
