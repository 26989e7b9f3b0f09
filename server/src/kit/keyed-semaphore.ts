/** So many at a time for each key, first come, first served. */
export class KeyedSemaphore {
  readonly #size: number
  readonly #keys = new Map<string, { running: number; waiting: (() => void)[] }>()

  constructor(size: number) {
    this.#size = size
  }

  /** Resolves when it is the caller's turn, to the function that ends it, which may be called more than once. */
  async acquire(key: string): Promise<() => void> {
    const state = this.#keys.get(key) ?? { running: 0, waiting: [] }
    this.#keys.set(key, state)
    if (state.running < this.#size) state.running++
    else await new Promise<void>(resolve => state.waiting.push(resolve))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      // The place of one that ends goes to the next one.
      const next = state.waiting.shift()
      if (next) return next()
      if (--state.running === 0) this.#keys.delete(key)
    }
  }
}
