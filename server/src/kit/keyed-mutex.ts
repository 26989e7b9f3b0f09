/** A mutex per key (a conversation, a person), first come, first served. Who waits holds no database connection. */
export class KeyedMutex<Key = number> {
  readonly #last = new Map<Key, Promise<unknown>>()

  async run<T>(key: Key, act: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(key) ?? Promise.resolve()).then(act)
    // A failure is reported to its caller and must not affect the next one.
    const over = done.then(nothing, nothing)
    this.#last.set(key, over)
    try {
      return await done
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key)
    }
  }
}

function nothing(): void {}
