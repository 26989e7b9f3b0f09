/** Calls one after the other, in order. A failure is reported to its caller and must not affect the next one. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act)
    this.#last = done.catch(() => {})
    return done
  }
}
