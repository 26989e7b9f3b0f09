import { uploadDialog } from '#contract/limits.ts'

export interface TaskOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((percent: number) => void) | undefined
}

interface Task<Input, Output> extends TaskOptions {
  readonly input: Input
  readonly outcome: PromiseWithResolvers<Output>
  watchdog?: ReturnType<typeof setTimeout>
}

/** The task itself failed; name and message are those of its error. */
export class TaskFailure extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

/** The worker crashed; or, without a message, it could not be loaded. */
export class WorkerCrash extends Error {
  override readonly name: string = 'WorkerCrash'
}

/** The worker made no progress for too long and was terminated. */
export class WorkerStalled extends WorkerCrash {
  override readonly name = 'WorkerStalled'
}

/** Idle workers hold decoders in memory, so they are terminated after this time. */
const IDLE_MILLISECONDS = 30_000

/** A pool of workers of one kind with one task each. Workers start on demand; aborting a task terminates its worker. */
export class WorkerPool<Input, Output> {
  readonly #start: () => Worker
  readonly #size: number
  readonly #waiting: Task<Input, Output>[] = []
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Task<Input, Output>, Worker>()
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #disposed = false

  constructor(start: () => Worker, size = 1) {
    this.#start = start
    this.#size = size
  }

  async run(input: Input, options: TaskOptions = {}): Promise<Output> {
    const { signal } = options
    signal?.throwIfAborted()
    if (this.#disposed) throw disposed()
    const task: Task<Input, Output> = { ...options, input, outcome: Promise.withResolvers() }
    const abort = () => this.#stop(task, signal?.reason)
    signal?.addEventListener('abort', abort)
    try {
      this.#waiting.push(task)
      this.#schedule()
      return await task.outcome.promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  dispose(): void {
    this.#disposed = true
    for (const task of [...this.#waiting, ...this.#busy.keys()]) this.#stop(task, disposed())
    this.#terminateIdle()
  }

  #schedule(): void {
    clearTimeout(this.#idleTimer)
    while (this.#busy.size < this.#size) {
      const task = this.#waiting.shift()
      if (!task) break
      this.#assign(task, this.#idle.pop() ?? this.#start())
    }
    if (this.#idle.length > 0) this.#idleTimer = setTimeout(() => this.#terminateIdle(), IDLE_MILLISECONDS)
  }

  #assign(task: Task<Input, Output>, worker: Worker): void {
    this.#busy.set(task, worker)
    this.#resetWatchdog(task)
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage<Output>>) => {
      this.#resetWatchdog(task)
      if (data.type === 'progress') return task.onProgress?.(data.percent)
      this.#release(task)
      this.#idle.push(worker)
      if (data.type === 'done') task.outcome.resolve(data.output)
      else task.outcome.reject(new TaskFailure(data.failure.name, data.failure.message))
      this.#schedule()
    }
    worker.onerror = event => {
      event.preventDefault()
      this.#stop(task, new WorkerCrash(event.message))
    }
    worker.postMessage(task.input)
  }

  /** Terminating is the only way to stop a worker during a task. */
  #stop(task: Task<Input, Output>, reason: unknown): void {
    const index = this.#waiting.indexOf(task)
    if (index >= 0) this.#waiting.splice(index, 1)
    this.#busy.get(task)?.terminate()
    this.#release(task)
    task.outcome.reject(reason)
    if (!this.#disposed) this.#schedule()
  }

  /** Watchdog: a worker without progress must not block the files after it. */
  #resetWatchdog(task: Task<Input, Output>): void {
    clearTimeout(task.watchdog)
    const stalled = () => this.#stop(task, new WorkerStalled())
    task.watchdog = setTimeout(stalled, uploadDialog.preparationStallsAfter)
  }

  #release(task: Task<Input, Output>): void {
    clearTimeout(task.watchdog)
    this.#busy.delete(task)
  }

  #terminateIdle(): void {
    clearTimeout(this.#idleTimer)
    for (const worker of this.#idle.splice(0)) worker.terminate()
  }
}

function disposed(): DOMException {
  return new DOMException('Nothing is prepared any more.', 'AbortError')
}

/** Messages of a worker. Each worker runs one task at a time, so they need no task id. */
export type WorkerMessage<Output> =
  | { readonly type: 'progress'; readonly percent: number }
  | { readonly type: 'done'; readonly output: Output }
  | { readonly type: 'failed'; readonly failure: Failure }

export interface Failure {
  readonly name: string
  readonly message: string
}

/** The function that a worker runs for each message. */
export type WorkerTask<Input, Output> = (input: Input, report: (percent: number) => void) => Promise<Output>

/** Progress below one percent is still reported at this interval, so that the watchdog does not trigger. */
const REPORT_MILLISECONDS = 1_000

/** Makes this worker run a task for each message. */
export function serveTask<Input, Output>(task: WorkerTask<Input, Output>): void {
  const answer = (message: WorkerMessage<Output>) => postMessage(message)
  addEventListener('message', async ({ data }: MessageEvent<Input>) => {
    let reached = Number.NEGATIVE_INFINITY
    let sent = -1
    let sentAt = 0
    const report = (percent: number) => {
      if (percent <= reached) return
      reached = percent
      const whole = Math.min(100, Math.max(0, Math.floor(percent)))
      const now = performance.now()
      if (whole === sent && now - sentAt < REPORT_MILLISECONDS) return
      sent = whole
      sentAt = now
      answer({ type: 'progress', percent: whole })
    }
    try {
      answer({ type: 'done', output: await task(data, report) })
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      answer({ type: 'failed', failure: { name, message } })
    }
  })
}
