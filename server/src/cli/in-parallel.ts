/**
 * Works on several at once and takes the next only when there is room, so that memory stays flat however many there are.
 * The first failure keeps the others from beginning anything new, and is thrown when they are done.
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
