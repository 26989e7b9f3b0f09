/**
 * A mutex per conversation, first come, first served. The row lock in the database would suffice, but a request that waits
 * for it holds a database connection and is served in random order.
 */
export class KeyedMutex {
  readonly #last = new Map<number, Promise<unknown>>()

  async run<T>(conversationId: number, act: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(conversationId) ?? Promise.resolve()).then(act)
    // A failure is reported to its caller and must not affect the next one.
    const over = done.then(nothing, nothing)
    this.#last.set(conversationId, over)
    try {
      return await done
    } finally {
      if (this.#last.get(conversationId) === over) this.#last.delete(conversationId)
    }
  }
}

function nothing(): void {}
