import type { Tx } from '../db/schema.ts'

/** Work to be done after the answer, described as a value: its name, how it is retried, and what it needs to know. */
export interface Job<Payload = unknown> {
  readonly name: string
  /** Slow work has its own lane, so that a two-hour film never keeps a thumbnail waiting. */
  readonly lane: 'quick' | 'slow'
  /** Lower goes first within the lane. */
  readonly priority: number
  readonly attempts: number
  /** Repeats this long after each run. */
  readonly everyMs: number | undefined
  /** Never called: carries the payload's type. */
  payload?(payload: Payload): void
}

export function defineJob<Payload>(
  name: string,
  options: { lane?: Job['lane']; priority?: number; attempts?: number; everyMs?: number } = {},
): Job<Payload> {
  return {
    name,
    lane: options.lane ?? 'quick',
    priority: options.priority ?? 5,
    attempts: options.attempts ?? 5,
    everyMs: options.everyMs,
  }
}

export interface JobRun {
  /** Aborted when the server stops or the claim is lost. */
  signal: AbortSignal
  attempt: number
}

/** Handlers can run twice: a server that dies after the work and before the note of it leaves the job to another. */
export interface Handler<Payload> {
  run(payload: Payload, run: JobRun): Promise<void>
  /** The last attempt failed; in the transaction that marks it so. */
  onFailed?(tx: Tx, payload: Payload, reason: string): Promise<void>
}

/** Thrown by a handler when trying again cannot help. Its message is for people. */
export class PermanentFailure extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options)
    this.name = 'PermanentFailure'
  }
}
