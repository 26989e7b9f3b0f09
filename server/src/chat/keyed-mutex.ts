/**
 * One after the other for each conversation, in the order they came. The database would see to that too, but whoever waits
 * there holds one of its connections meanwhile, and is served by chance; between servers that is how it is.
 */
export class KeyedMutex {
  readonly #last = new Map<number, Promise<unknown>>()

  async run<T>(conversationId: number, act: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(conversationId) ?? Promise.resolve()).then(act)
    // How it ends is the business of whoever asked for it, not of the next in turn.
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
