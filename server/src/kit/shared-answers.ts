import type { Clock } from './clock.ts'
import { setLru } from './lru.ts'

/**
 * A cache of responses that are the same for every member, such as the list of the gallery. When a photo arrives, every
 * open browser requests the first page: it is made once, and again after the next commit.
 */
export interface SharedAnswers {
  /** What was made for this question, unless something was committed since. */
  get(question: string, make: () => Promise<Buffer>): Promise<Buffer>
}

interface Kept {
  revision: string
  madeAt: number
  body: Promise<Buffer>
}

/** The addresses of files in an answer run out, so it is made anew long before. */
const KEPT_FOR_MS = 60_000
const MOST_KEPT = 16
const LARGEST_KEPT_BYTES = 512 * 1024

export function createSharedAnswers(deps: { db: { revision(): Promise<string> }; clock: Clock }): SharedAnswers {
  const kept = new Map<string, Kept>()

  function forget(question: string, answer: Kept): void {
    if (kept.get(question) === answer) kept.delete(question)
  }

  return {
    async get(question, make) {
      // Asked before anything is read: if it is still the same later on, all that was read in between is still true.
      const revision = await deps.db.revision()
      const now = deps.clock()
      const known = kept.get(question)
      if (known?.revision === revision && now - known.madeAt < KEPT_FOR_MS) return known.body
      const answer: Kept = { revision, madeAt: now, body: make() }
      setLru(kept, MOST_KEPT, question, answer)
      try {
        const body = await answer.body
        if (body.length > LARGEST_KEPT_BYTES) forget(question, answer)
        return body
      } catch (error) {
        forget(question, answer)
        throw error
      }
    },
  }
}
