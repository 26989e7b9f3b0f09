import type { Sandbox } from './sandbox/sandbox.ts'
import type { Order, TaskTable } from './serve-tasks.ts'
import type { ProcessLimits } from './watch-process.ts'
import { calledOff, startWorkerProcess, type WorkerProcess } from './worker-process.ts'

export interface WorkerPool<Tasks extends TaskTable> {
  /** Waits its turn, then runs in a process of its own. Rejects with a ProcessingError. */
  run<Name extends keyof Tasks & string>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    options?: RunOptions,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
  /** Calls off what waits and what runs, and ends every process. */
  close(): Promise<void>
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Whose order it is: people are served in turn. Absent: the server's own. */
  readonly ownerId?: number | undefined
}

export interface PoolOptions extends ProcessLimits {
  /** How many orders run at the same time. */
  readonly size: number
  /** How many of one owner run at the same time; less than `size` keeps a process for the others. */
  readonly sizePerOwner?: number
  /** An unused process ends after this long, so that a quiet server is a small one. */
  readonly idleMs?: number
  /** Decoders leak; a fresh process forgets. */
  readonly ordersPerProcess?: number
  /** A process that keeps more than this after its work is replaced. */
  readonly keepMb?: number
  readonly sandbox?: Sandbox
}

type Turn = (worker: WorkerProcess) => void

interface Owner {
  /** The number of the last turn that was this owner's; 0 for one who was not served yet. */
  lastTurn: number
  readonly waiting: Set<Turn>
  running: number
}

const SERVER = 0

function isBefore(a: Owner, b: Owner): boolean {
  return a.running < b.running || (a.running === b.running && a.lastTurn < b.lastTurn)
}

/** A few processes that run one program, which calls `serveTasks`. They start when needed and end when not. */
export function startWorkerPool<Tasks extends TaskTable>(program: URL, options: PoolOptions): WorkerPool<Tasks> {
  const {
    size,
    sizePerOwner = size,
    idleMs = 20_000,
    ordersPerProcess = 500,
    keepMb = 300,
    sandbox,
    ...limits
  } = options
  /** Only those with orders that wait or run. */
  const owners = new Map<number, Owner>()
  let turns = 0
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
    if (busy.size >= size) return
    const next = nextOwner()
    if (!next) return
    const { owner, turn } = next
    owner.waiting.delete(turn)
    owner.running++
    owner.lastTurn = ++turns
    const worker = takeIdle() ?? startWorkerProcess(program, limits.memoryMb, sandbox)
    busy.add(worker)
    turn(worker)
  }

  /** Of those who wait, the one with the fewest orders running, and among equals the one served longest ago. */
  function nextOwner(): { owner: Owner; turn: Turn } | undefined {
    let next: ReturnType<typeof nextOwner>
    for (const owner of owners.values()) {
      const [turn] = owner.waiting
      if (turn && owner.running < sizePerOwner && (!next || isBefore(owner, next.owner))) next = { owner, turn }
    }
    return next
  }

  function forgetIfDone(ownerId: number): void {
    const owner = owners.get(ownerId)
    if (owner && owner.running === 0 && owner.waiting.size === 0) owners.delete(ownerId)
  }

  function takeIdle(): WorkerProcess | undefined {
    for (const [worker, timer] of idle) {
      clearTimeout(timer)
      idle.delete(worker)
      if (worker.alive) return worker
    }
    return undefined
  }

  function waitForTurn(ownerId: number, calledOffBy: AbortSignal): Promise<WorkerProcess> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        owners.get(ownerId)?.waiting.delete(turn)
        forgetIfDone(ownerId)
        reject(calledOff())
      }
      const turn: Turn = worker => {
        calledOffBy.removeEventListener('abort', leave)
        resolve(worker)
      }
      if (calledOffBy.aborted) return leave()
      calledOffBy.addEventListener('abort', leave)
      const owner = owners.get(ownerId) ?? { waiting: new Set(), running: 0, lastTurn: 0 }
      owners.set(ownerId, owner)
      owner.waiting.add(turn)
      nextTurn()
    })
  }

  function giveBack(worker: WorkerProcess, ownerId: number): void {
    busy.delete(worker)
    const owner = owners.get(ownerId)
    if (owner) owner.running--
    forgetIfDone(ownerId)
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

  async function carryOut(order: Order, ownerId: number, calledOffBy: AbortSignal): Promise<unknown> {
    const worker = await waitForTurn(ownerId, calledOffBy)
    try {
      return await worker.run(order, limits, calledOffBy)
    } finally {
      giveBack(worker, ownerId)
    }
  }

  return {
    run(task, input, { signal, ownerId = SERVER } = {}) {
      const calledOffBy = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      return finishBeforeClose(carryOut({ task, input }, ownerId, calledOffBy)) as Promise<never>
    },
    async close() {
      closing.abort()
      for (const worker of idle.keys()) letGo(worker)
      while (unfinished.size > 0) await Promise.all(unfinished)
    },
  }
}
