import { uploadDialog } from '#contract/limits.ts'
import type { Answer } from './protocol.ts'

export interface TaskOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((percent: number) => void) | undefined
}

interface Task<Input, Output> extends TaskOptions {
  readonly input: Input
  readonly outcome: PromiseWithResolvers<Output>
  watchdog?: ReturnType<typeof setTimeout>
}

/** The task itself went wrong; what its worker said. */
export class TaskFailure extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

/** The worker could not be loaded, or broke down. */
export class WorkerBreakdown extends Error {
  override readonly name: string = 'WorkerBreakdown'
}

/** The worker made no progress for too long and was ended. */
export class WorkerStalled extends WorkerBreakdown {
  override readonly name = 'WorkerStalled'
}

/** A worker holds decoders and their memory; one that has had nothing to do for this long is let go. */
const IDLE_MILLISECONDS = 30_000

/** A few workers of one kind, each at one task. They start when there is work, and end with a task that is aborted. */
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
    const abort = () => this.#end(task, signal?.reason)
    signal?.addEventListener('abort', abort)
    try {
      this.#waiting.push(task)
      this.#goOn()
      return await task.outcome.promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  dispose(): void {
    this.#disposed = true
    for (const task of [...this.#waiting, ...this.#busy.keys()]) this.#end(task, disposed())
    this.#dismissIdle()
  }

  #goOn(): void {
    clearTimeout(this.#idleTimer)
    while (this.#busy.size < this.#size) {
      const task = this.#waiting.shift()
      if (!task) break
      this.#give(task, this.#idle.pop() ?? this.#start())
    }
    if (this.#idle.length > 0) this.#idleTimer = setTimeout(() => this.#dismissIdle(), IDLE_MILLISECONDS)
  }

  #give(task: Task<Input, Output>, worker: Worker): void {
    this.#busy.set(task, worker)
    this.#watch(task)
    worker.onmessage = ({ data }: MessageEvent<Answer<Output>>) => {
      this.#watch(task)
      if (data.says === 'progress') return task.onProgress?.(data.percent)
      this.#forget(task)
      this.#idle.push(worker)
      if (data.says === 'done') task.outcome.resolve(data.output)
      else task.outcome.reject(new TaskFailure(data.failure.name, data.failure.message))
      this.#goOn()
    }
    worker.onerror = event => {
      event.preventDefault()
      this.#end(task, new WorkerBreakdown(event.message || 'A worker could not be loaded.'))
    }
    worker.postMessage(task.input)
  }

  /** The one way to stop a worker in the middle of something is to end it. */
  #end(task: Task<Input, Output>, reason: unknown): void {
    const place = this.#waiting.indexOf(task)
    if (place >= 0) this.#waiting.splice(place, 1)
    this.#busy.get(task)?.terminate()
    this.#forget(task)
    task.outcome.reject(reason)
    if (!this.#disposed) this.#goOn()
  }

  /** Watchdog: a worker that reports nothing for too long must not hold up the files behind it. */
  #watch(task: Task<Input, Output>): void {
    clearTimeout(task.watchdog)
    const stalled = () => this.#end(task, new WorkerStalled('It made no progress.'))
    task.watchdog = setTimeout(stalled, uploadDialog.preparationStallsAfter)
  }

  #forget(task: Task<Input, Output>): void {
    clearTimeout(task.watchdog)
    this.#busy.delete(task)
  }

  #dismissIdle(): void {
    clearTimeout(this.#idleTimer)
    for (const worker of this.#idle.splice(0)) worker.terminate()
  }
}

function disposed(): DOMException {
  return new DOMException('Nothing is prepared any more.', 'AbortError')
}
