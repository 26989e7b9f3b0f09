/** Both engines bound the number of values in one statement. */
const MOST_AT_ONCE = 1_000

/** As many as one statement may hold, and then the next. */
export function* inChunks<T>(values: readonly T[]): Generator<T[]> {
  for (let at = 0; at < values.length; at += MOST_AT_ONCE) yield values.slice(at, at + MOST_AT_ONCE)
}
