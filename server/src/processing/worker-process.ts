import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ProcessingError } from './errors.ts'
import { runWithExchange } from './sandbox/exchange-files.ts'
import { noSandbox, type Sandbox } from './sandbox/sandbox.ts'
import type { TaskReply, TaskRequest } from './serve-tasks.ts'
import {
  limitError,
  lowerPriority,
  type ProcessLimits,
  residentMb,
  watchProcess,
  withFileLimit,
} from './watch-process.ts'

/** One process that carries out one order at a time. */
export interface WorkerProcess {
  /** Orders carried out so far. */
  readonly tasksRun: number
  /** False once it died, was killed or was let go; then it takes no more orders. */
  readonly alive: boolean
  readonly residentMb: number
  run(order: TaskRequest, limits: ProcessLimits, signal?: AbortSignal): Promise<unknown>
  /** Lets an idle process end by itself. */
  shutDown(): Promise<void>
}

/** Without this glibc keeps a third more than is used: it sets aside memory per thread, and gives back late. */
const mallocSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '4194304' }

/** How much of what a process says before it dies is kept for the log. */
const KEPT_STDERR = 2_000
/** How much of what a decoder said about a file goes into the log. */
const MAX_DETAIL_LENGTH = 500

export function startWorkerProcess(
  program: URL,
  { memoryMb, outputMb }: Pick<ProcessLimits, 'memoryMb' | 'outputMb'>,
  sandbox: Sandbox = noSandbox,
): WorkerProcess {
  const exchange = sandbox.openExchange()
  const command = sandbox.worker(fileURLToPath(program), [`--max-old-space-size=${memoryMb}`], exchange)
  const [file = '', ...args] = withFileLimit(command, outputMb)
  const child = spawn(file, args, {
    // Nothing of the server's environment: it holds secrets, and decoders handle what strangers made.
    env: { LANG: 'C.UTF-8', ...mallocSettings, ...(exchange && { TMPDIR: exchange.outbox }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  }).then(() => exchange?.remove().catch(() => undefined))
  const lastWords = captureStderr(child)
  if (child.pid !== undefined) lowerPriority(child.pid)
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
        child.kill('SIGKILL')
        return exited
      }
      return runWithExchange(exchange, order, carryOut, end).catch(error => {
        // Its files went with it.
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

/** Sends the order and waits for the first of: the reply, the end of the process, the signal. */
async function exchangeMessages(
  child: ChildProcess,
  order: TaskRequest,
  limits: ProcessLimits,
  { outbox, signal }: { outbox: string | undefined; signal: AbortSignal | undefined },
): Promise<TaskReply> {
  const { pid } = child
  if (signal?.aborted) throw cancelled()
  // It may have ended while its files were passed to it; then it says nothing any more, not even that it ended.
  if (hasEnded(child)) throw endedUnexpectedly()
  if (pid === undefined || !child.connected) throw new ProcessingError('crashed', 'The decoder could not be started.')
  const watch = watchProcess(pid, limits, outbox)
  const over = new AbortController()
  const until = { signal: over.signal }
  const cancel = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', cancel, until)
  try {
    // A process that dies here ends the wait below; the failed send has nothing to add.
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

export function cancelled(): ProcessingError {
  return new ProcessingError('cancelled', 'Processing was called off.')
}

function captureStderr(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-KEPT_STDERR)
  })
  return () => words
}
