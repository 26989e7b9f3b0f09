/**
 * Processes items with limited concurrency and pulls the next one only when a worker is free, so that memory stays
 * constant. After the first failure no further item is started, and it is thrown once the running ones are done.
 */
export async function inParallel<T>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  const failures: unknown[] = []

  async function worker(): Promise<void> {
    try {
      while (failures.length === 0) {
        const next = await iterator.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      failures.push(error)
    }
  }

  await Promise.all(Array.from({ length: atOnce }, worker))
  await iterator.return?.()
  if (failures.length > 0) throw failures[0]
}
