/**
 * The live stream's position before this page fetched any data. It is part of the session's first response, and all
 * other requests wait for that response. A stream that resumes there reports every change newer than the fetched data.
 */
let first: { token: string; position: string } | undefined

export function recordLivePosition(token: string, position: string | null): void {
  if (position !== null && first?.token !== token) first = { token, position }
}

/** Undefined where the server sent none. */
export function firstLivePosition(token: string): string | undefined {
  return first?.token === token ? first.position : undefined
}

/** Resolves when the answer with that position has come, or will not come. */
let firstAnswer: Promise<unknown> = Promise.resolve()

/** For a page that opens with saved data: the stream must not begin before the data that it continues. */
export function holdStreamUntil(answered: Promise<unknown>): void {
  firstAnswer = answered
}

export function beforeStream(): Promise<unknown> {
  return firstAnswer
}
