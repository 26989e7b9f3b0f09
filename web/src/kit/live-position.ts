import { livePositionHeader } from '#contract/live.ts'

/**
 * How far the live stream had got before this page read anything: the first answer of a session says so, and nothing else
 * that the page keeps is asked for before it has come. A stream that continues there tells all that is newer than what
 * the page shows.
 */
let first: { token: string; position: string } | undefined

export function recordLivePosition(token: string, { headers }: Response): void {
  const position = headers.get(livePositionHeader)
  if (position !== null && first?.token !== token) first = { token, position }
}

/** Undefined where the server did not say. */
export function firstLivePosition(token: string): string | undefined {
  return first?.token === token ? first.position : undefined
}
