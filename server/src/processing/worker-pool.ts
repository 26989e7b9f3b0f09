import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  killTree,
  limitError,
  lowerPriority,
  OWN_GROUP,
  type ProcessLimits,
  residentMb,
  watchProcess,
  withFileLimit,
} from './child-process.ts'
import { cancelled, ProcessingError } from './errors.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import { runWithExchange } from './sandbox/exchange.ts'
import { noSandbox, type Sandbox } from './sandbox/sandbox.ts'
import type { TaskReply, TaskRequest, TaskTable } from './serve-tasks.ts'

export interface WorkerPool<Tasks extends TaskTable> {
  /** Waits for a slot, then runs the task in a worker process. Rejects with a ProcessingError. */
  run<Name extends keyof Tasks & string>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    options?: TaskOptions,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
  /** Cancels waiting and running tasks and ends all processes. */
  close(): Promise<void>
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Slots are shared fairly between owners. Default: the server itself. */
  readonly ownerId?: number | undefined
  /**
   * Uses a process that handles nothing else before or after. For files of strangers: a hostile file may take over
   * its process, which must never see another file.
   */
  readonly ownProcess?: boolean | undefined
}

export interface TaskOptions extends RunOptions {
  /** A lower limit than that of the pool. */
  readonly memoryMb?: number | undefined
}

export interface PoolOptions extends ProcessLimits {
  /** How many tasks run in parallel. */
  readonly size: number
  /** How many tasks of one owner run in parallel; less than `size` keeps a process for the others. */
  readonly sizePerOwner?: number
  /** Idle processes end after this time, to save memory. */
  readonly idleMs?: number
  /** Processes are replaced after this many tasks, since decoders leak memory. */
  readonly tasksPerProcess?: number
  /** A process that still uses more than this after a task is replaced. */
  readonly maxIdleMb?: number
  readonly sandbox?: Sandbox
}

/** A pool of processes for a program that calls `serveTasks`. They are started when needed. */
export function startWorkerPool<Tasks extends TaskTable>(program: URL, options: PoolOptions): WorkerPool<Tasks> {
  const {
    size,
    sizePerOwner = size,
    idleMs = 20_000,
    tasksPerProcess = 500,
    maxIdleMb = 300,
    sandbox,
    ...limits
  } = options
  const slots = createFairSemaphore({ size, sizePerOwner })
  const idle = new Map<WorkerProcess, NodeJS.Timeout>()
  /** Running tasks and ending processes, which `close` waits for. */
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
    const isWornOut = worker.tasksRun >= tasksPerProcess || worker.residentMb > maxIdleMb
    if (!worker.alive || isWornOut || closing.signal.aborted) shutDown(worker)
    else idle.set(worker, setTimeout(shutDown, idleMs, worker))
  }

  function shutDown(worker: WorkerProcess): void {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    void finishBeforeClose(worker.shutDown())
  }

  async function runTask(order: TaskRequest, options: TaskOptions, aborted: AbortSignal): Promise<unknown> {
    const { ownerId, ownProcess = false, memoryMb = limits.memoryMb } = options
    const release = await slots.acquire(ownerId, aborted)
    try {
      const used = ownProcess ? undefined : takeIdle()
      const worker = used ?? startWorkerProcess(program, limits, sandbox)
      try {
        return await worker.run(order, { ...limits, memoryMb }, aborted)
      } finally {
        if (ownProcess) shutDown(worker)
        else recycle(worker)
      }
    } finally {
      release()
    }
  }

  return {
    run(task, input, options = {}) {
      const { signal } = options
      const aborted = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      return finishBeforeClose(runTask({ task, input }, options, aborted)) as Promise<never>
    },
    async close() {
      closing.abort()
      for (const worker of idle.keys()) shutDown(worker)
      while (unfinished.size > 0) await Promise.all(unfinished)
    },
  }
}

/** A process that runs one task at a time. */
export interface WorkerProcess {
  readonly tasksRun: number
  /** False after it crashed, was killed or was shut down. */
  readonly alive: boolean
  readonly residentMb: number
  run(order: TaskRequest, limits: ProcessLimits, signal?: AbortSignal): Promise<unknown>
  shutDown(): Promise<void>
}

/** Reduces memory by a third: by default glibc reserves memory per thread and releases it late. */
const mallocSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '4194304' }

/** The server's own compile cache, which is read-only in the sandbox. It halves the CPU time of a start. */
function compileCacheSetting() {
  const folder = getCompileCacheDir()
  // Node adds a folder for its version.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** How much of a process's stderr is kept for the log. */
const KEPT_STDERR = 2_000
/** How much of a decoder's message about a file is logged. */
const MAX_DETAIL_LENGTH = 500

export function startWorkerProcess(
  program: URL,
  { memoryMb, outputMb, priority }: Pick<ProcessLimits, 'memoryMb' | 'outputMb' | 'priority'>,
  sandbox: Sandbox = noSandbox,
): WorkerProcess {
  const exchange = sandbox.openExchange()
  const command = sandbox.worker(fileURLToPath(program), [`--max-old-space-size=${memoryMb}`], exchange)
  const [file = '', ...args] = withFileLimit(command, outputMb)
  const child = spawn(file, args, {
    // Not the server's environment, which contains secrets: decoders read untrusted files.
    env: { LANG: 'C.UTF-8', ...mallocSettings, ...compileCacheSetting(), ...(exchange && { TMPDIR: exchange.outbox }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...OWN_GROUP,
  })
  const exited = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  }).then(() => exchange?.remove().catch(() => undefined))
  const lastWords = captureStderr(child)
  if (child.pid !== undefined) lowerPriority(child.pid, priority)
  let served = 0
  let letGo = false
  return {
    get tasksRun() {
      return served
    },
    get alive() {
      return !letGo && child.connected && !hasEnded(child)
    },
    get residentMb() {
      return (child.pid !== undefined && residentMb(child.pid)) || 0
    },
    async run(order, limits, signal) {
      served++
      const carryOut = async (lent: TaskRequest) => {
        const reply = await exchangeMessages(child, lent, limits, { outbox: exchange?.outbox, signal }).catch(error => {
          if (error instanceof ProcessingError && error.failure === 'crashed') error.cause ??= lastWords()
          throw error
        })
        if ('failure' in reply) {
          const cause = reply.detail?.slice(0, MAX_DETAIL_LENGTH)
          throw new ProcessingError(reply.failure, reply.sentence, { cause })
        }
        return reply.output
      }
      if (!exchange) return carryOut(order)
      let died = false
      const end = () => {
        died = hasEnded(child)
        if (!died && child.pid !== undefined) killTree(child.pid)
        return exited
      }
      return runWithExchange(exchange, order, carryOut, end).catch(error => {
        // The exchange was removed together with the process.
        throw died && error.failure === 'crashed' ? endedUnexpectedly(error) : error
      })
    },
    async shutDown() {
      letGo = true
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

/** Sends the task and waits for the reply, the end of the process, or an abort. */
async function exchangeMessages(
  child: ChildProcess,
  order: TaskRequest,
  limits: ProcessLimits,
  { outbox, signal }: { outbox: string | undefined; signal: AbortSignal | undefined },
): Promise<TaskReply> {
  const { pid } = child
  if (signal?.aborted) throw cancelled()
  // It may have ended while its files were copied; then no further event will come.
  if (hasEnded(child)) throw endedUnexpectedly()
  if (pid === undefined || !child.connected) throw new ProcessingError('crashed', 'The decoder could not be started.')
  const watch = watchProcess(pid, limits, outbox)
  const over = new AbortController()
  const until = { signal: over.signal }
  const cancel = () => killTree(pid)
  signal?.addEventListener('abort', cancel, until)
  try {
    // If the process dies here, the `exit` event below ends the wait.
    child.send(order, () => undefined)
    return await Promise.race([
      once(child, 'message', until).then(([reply]) => reply as TaskReply),
      once(child, 'exit', until).then(() => {
        const broken = watch.stop()
        if (signal?.aborted) throw cancelled()
        if (broken) throw limitError(broken, limits)
        throw endedUnexpectedly()
      }),
    ])
  } finally {
    watch.stop()
    over.abort()
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function endedUnexpectedly(cause?: unknown): ProcessingError {
  return new ProcessingError('crashed', 'The decoder ended unexpectedly while it read this file.', { cause })
}

function captureStderr(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-KEPT_STDERR)
  })
  return () => words
}
