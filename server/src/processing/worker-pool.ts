import { createFairSemaphore } from './owner-turns.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { TaskRequest, TaskTable } from './serve-tasks.ts'
import type { ProcessLimits } from './watch-process.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'

export interface WorkerPool<Tasks extends TaskTable> {
  /** Waits its turn, then runs in a process of its own. Rejects with a ProcessingError. */
  run<Name extends keyof Tasks & string>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    options?: TaskOptions,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
  /** Calls off what waits and what runs, and ends every process. */
  close(): Promise<void>
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Whose order it is: people are served in turn. Absent: the server's own. */
  readonly ownerId?: number | undefined
}

export interface TaskOptions extends RunOptions {
  /** A lower limit for this order than the pool has for all. */
  readonly memoryMb?: number | undefined
}

export interface PoolOptions extends ProcessLimits {
  /** How many orders run at the same time. */
  readonly size: number
  /** How many of one owner run at the same time; less than `size` keeps a process for the others. */
  readonly sizePerOwner?: number
  /** An unused process ends after this long, so that a quiet server is a small one. */
  readonly idleMs?: number
  /** Decoders leak; a fresh process forgets. */
  readonly tasksPerProcess?: number
  /** A process that keeps more than this after its work is replaced. */
  readonly maxIdleMb?: number
  readonly sandbox?: Sandbox
}

/** A few processes that run one program, which calls `serveTasks`. They start when needed and end when not. */
export function startWorkerPool<Tasks extends TaskTable>(program: URL, options: PoolOptions): WorkerPool<Tasks> {
  const {
    size,
    sizePerOwner = size,
    idleMs = 20_000,
    tasksPerProcess: ordersPerProcess = 500,
    maxIdleMb: keepMb = 300,
    sandbox,
    ...limits
  } = options
  const turns = createFairSemaphore({ size, sizePerOwner })
  const idle = new Map<WorkerProcess, NodeJS.Timeout>()
  /** Everything `close` waits for: orders under way and processes on their way out. */
  const unfinished = new Set<Promise<unknown>>()
  const closing = new AbortController()

  function finishBeforeClose<Result>(work: Promise<Result>): Promise<Result> {
    const settled: Promise<unknown> = work.then(
      () => unfinished.delete(settled),
      () => unfinished.delete(settled),
    )
    unfinished.add(settled)
    return work
  }

  function takeIdle(): WorkerProcess | undefined {
    for (const [worker, timer] of idle) {
      clearTimeout(timer)
      idle.delete(worker)
      if (worker.alive) return worker
    }
    return undefined
  }

  function recycle(worker: WorkerProcess): void {
    const tired = worker.tasksRun >= ordersPerProcess || worker.residentMb > keepMb
    if (!worker.alive || tired || closing.signal.aborted) shutDown(worker)
    else idle.set(worker, setTimeout(shutDown, idleMs, worker))
  }

  function shutDown(worker: WorkerProcess): void {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    void finishBeforeClose(worker.shutDown())
  }

  async function runTask(order: TaskRequest, options: TaskOptions, calledOffBy: AbortSignal): Promise<unknown> {
    const { ownerId, memoryMb = limits.memoryMb } = options
    const giveBack = await turns.acquire(ownerId, calledOffBy)
    try {
      const worker = takeIdle() ?? startWorkerProcess(program, limits, sandbox)
      try {
        return await worker.run(order, { ...limits, memoryMb }, calledOffBy)
      } finally {
        recycle(worker)
      }
    } finally {
      giveBack()
    }
  }

  return {
    run(task, input, options = {}) {
      const { signal } = options
      const calledOffBy = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      return finishBeforeClose(runTask({ task, input }, options, calledOffBy)) as Promise<never>
    },
    async close() {
      closing.abort()
      for (const worker of idle.keys()) shutDown(worker)
      while (unfinished.size > 0) await Promise.all(unfinished)
    },
  }
}
