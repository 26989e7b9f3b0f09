import type { Order, TaskTable } from './serve-tasks.ts'
import type { ProcessLimits } from './watch-process.ts'
import { calledOff, startWorkerProcess, type WorkerProcess } from './worker-process.ts'

export interface WorkerPool<Tasks extends TaskTable> {
  /** Waits its turn, then runs in a process of its own. Rejects with a ProcessingError. */
  run<Name extends keyof Tasks & string>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
  /** Calls off what waits and what runs, and ends every process. */
  close(): Promise<void>
}

export interface PoolOptions extends ProcessLimits {
  /** How many orders run at the same time. */
  readonly size: number
  /** An unused process ends after this long, so that a quiet server is a small one. */
  readonly idleMs?: number
  /** Decoders leak; a fresh process forgets. */
  readonly ordersPerProcess?: number
  /** A process that keeps more than this after its work is replaced. */
  readonly keepMb?: number
}

type Turn = (worker: WorkerProcess) => void

/** A few processes that run one program, which calls `serveTasks`. They start when needed and end when not. */
export function startWorkerPool<Tasks extends TaskTable>(program: URL, options: PoolOptions): WorkerPool<Tasks> {
  const { size, idleMs = 20_000, ordersPerProcess = 500, keepMb = 300, ...limits } = options
  const waiting = new Set<Turn>()
  const busy = new Set<WorkerProcess>()
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

  function nextTurn(): void {
    const [turn] = waiting
    if (!turn || busy.size >= size) return
    waiting.delete(turn)
    const worker = takeIdle() ?? startWorkerProcess(program, limits.memoryMb)
    busy.add(worker)
    turn(worker)
  }

  function takeIdle(): WorkerProcess | undefined {
    for (const [worker, timer] of idle) {
      clearTimeout(timer)
      idle.delete(worker)
      if (worker.alive) return worker
    }
    return undefined
  }

  function waitForTurn(calledOffBy: AbortSignal): Promise<WorkerProcess> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(turn)
        reject(calledOff())
      }
      const turn: Turn = worker => {
        calledOffBy.removeEventListener('abort', leave)
        resolve(worker)
      }
      if (calledOffBy.aborted) return leave()
      calledOffBy.addEventListener('abort', leave)
      waiting.add(turn)
      nextTurn()
    })
  }

  function giveBack(worker: WorkerProcess): void {
    busy.delete(worker)
    const tired = worker.served >= ordersPerProcess || worker.residentMb > keepMb
    if (!worker.alive || tired || closing.signal.aborted) letGo(worker)
    else idle.set(worker, setTimeout(letGo, idleMs, worker))
    nextTurn()
  }

  function letGo(worker: WorkerProcess): void {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    void finishBeforeClose(worker.letGo())
  }

  async function carryOut(order: Order, calledOffBy: AbortSignal): Promise<unknown> {
    const worker = await waitForTurn(calledOffBy)
    try {
      return await worker.run(order, limits, calledOffBy)
    } finally {
      giveBack(worker)
    }
  }

  return {
    run(task, input, { signal } = {}) {
      const calledOffBy = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      return finishBeforeClose(carryOut({ task, input }, calledOffBy)) as Promise<never>
    },
    async close() {
      closing.abort()
      for (const worker of idle.keys()) letGo(worker)
      while (unfinished.size > 0) await Promise.all(unfinished)
    },
  }
}
