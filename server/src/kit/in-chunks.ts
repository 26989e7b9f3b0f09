/** Both database engines bound the number of values in one statement. */
const VALUES_PER_STATEMENT = 1_000

/** Values in groups of at most `size`, as one statement can hold them unless another size is given. */
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
