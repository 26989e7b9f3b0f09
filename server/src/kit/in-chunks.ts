/** Both database engines limit the number of bound values per statement. */
const VALUES_PER_STATEMENT = 1_000

/** Splits values into chunks of at most `size`; by default, as many as one statement can bind. */
export function* inChunks<T>(values: Iterable<T>, size = VALUES_PER_STATEMENT): Generator<T[]> {
  let chunk: T[] = []
  for (const value of values) {
    chunk.push(value)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
