import type { Sandbox } from '#server/processing/sandbox/sandbox.ts'
import { sandboxHere } from './sandbox.ts'

/** One task of a decoder, or one file that exiftool read. */
export interface Attempt {
  readonly path: string
  /** For a retry: how many retries were running when it began, including itself. */
  running: number
  failure?: unknown
}

/** The sandbox of this machine, wrapped to record every file that a process is given. */
export function recordAttempts(): { sandbox: Sandbox; attempts: Attempt[]; of(path: string): Attempt[] } {
  const attempts: Attempt[] = []
  const secondAttempts = new Set<Attempt>()
  const isSecond = ({ path }: Attempt) => attempts.filter(attempt => attempt.path === path).length > 1
  const sandbox: Sandbox = {
    ...sandboxHere,
    openExchange() {
      const exchange = sandboxHere.openExchange()
      if (!exchange) return undefined
      return {
        ...exchange,
        async withInput(path, work) {
          const attempt: Attempt = { path, running: 0 }
          attempts.push(attempt)
          if (isSecond(attempt)) secondAttempts.add(attempt)
          attempt.running = secondAttempts.size
          try {
            return await exchange.withInput(path, work)
          } catch (error) {
            attempt.failure = (error as { failure?: unknown }).failure
            throw error
          } finally {
            secondAttempts.delete(attempt)
          }
        },
      }
    },
  }
  return { sandbox, attempts, of: path => attempts.filter(attempt => attempt.path === path) }
}
