import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { ProcessingError } from './errors.ts'

export interface ProcessLimits {
  readonly memoryMb: number
  readonly timeoutMs: number
  /** How much it may write, in one file and in all files of its output folder. Absent: {@link MAX_OUTPUT_MB}. */
  readonly outputMb?: number | undefined
}

export type BrokenLimit = 'time' | 'memory' | 'disk'

/** The largest picture that is decoded, with 16 bits for each of its four channels: libvips may put that on the disk. */
export const MAX_OUTPUT_MB = 2_200

export interface ProcessWatch {
  /** Ends the watch. Gives the limit that was broken, if one was. */
  stop(): BrokenLimit | undefined
}

/** A decoder can fill about a gigabyte a second; this bounds how far past its limit it gets. */
const MEMORY_CHECK_MS = 50
/** Of the checks of the memory, one in so many looks at the output folder too. */
const DISK_CHECK_EVERY = 10

/**
 * Kills a process that outgrows its limits. The killed process ends like any other, with its own `exit` event; ask
 * `stop()` there whether a limit was the reason.
 */
export function watchProcess(pid: number, limits: ProcessLimits, outputFolder?: string): ProcessWatch {
  let broken: BrokenLimit | undefined
  const end = (limit: BrokenLimit) => {
    broken ??= limit
    kill(pid)
  }
  const timer = setTimeout(end, limits.timeoutMs, 'time')
  let checks = 0
  const meter = setInterval(() => {
    // A program in the sandbox starts a moment after the process that was made to yield.
    if (checks++ === 0) lowerPriority(pid)
    const used = residentMb(pid)
    if (used !== undefined && used > limits.memoryMb) end('memory')
    if (!outputFolder || checks % DISK_CHECK_EVERY !== 0) return
    if (folderMb(outputFolder) > (limits.outputMb ?? MAX_OUTPUT_MB)) end('disk')
  }, MEMORY_CHECK_MS)
  return {
    stop() {
      clearTimeout(timer)
      clearInterval(meter)
      return broken
    },
  }
}

/** The sentence for a broken limit. */
export function limitError(limit: BrokenLimit, limits: ProcessLimits): ProcessingError {
  if (limit === 'disk') return outputTooLarge(limits.outputMb)
  const sentence =
    limit === 'time'
      ? `Processing was stopped because it took longer than ${readableTime(limits.timeoutMs)}.`
      : `Processing was stopped because it needed more than ${limits.memoryMb} MB of memory.`
  return new ProcessingError(limit, sentence)
}

export function outputTooLarge(outputMb = MAX_OUTPUT_MB): ProcessingError {
  const most = outputMb.toLocaleString('en')
  return new ProcessingError('too_large', `Processing was stopped because it wrote more than ${most} MB.`)
}

/**
 * The command for a program that can write no file larger than this: at that size the system ends it with SIGXFSZ, or
 * fails its write where it ignores that signal, as Node does.
 */
export function withFileLimit(command: readonly string[], outputMb = MAX_OUTPUT_MB): string[] {
  if (process.platform === 'win32') return [...command]
  // The shell counts blocks of 512 bytes, and becomes the program: its process is the one that is watched.
  return ['/bin/sh', '-c', `ulimit -f ${Math.ceil(outputMb) * 2048}; exec "$@"`, 'sh', ...command]
}

/** Of the files in a folder, where decoders have no folders. */
export function folderMb(folder: string): number {
  const names = ignoreErrors(() => readdirSync(folder)) ?? []
  const bytes = names.map(name => ignoreErrors(() => lstatSync(join(folder, name)).size) ?? 0)
  return bytes.reduce((sum, size) => sum + size, 0) / 1024 / 1024
}

/**
 * Puts a process behind everything else: the server answers first, and is not the one to go when memory runs out. That
 * decoders keep every core busy is no harm only because of this.
 */
export function lowerPriority(pid: number): void {
  for (const process of withDescendants(pid)) {
    for (const thread of threadsOf(process)) {
      ignoreErrors(() => setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL))
    }
    ignoreErrors(() => lowerGroupPriority(process))
    ignoreErrors(() => writeFileSync(`/proc/${process}/oom_score_adj`, '1000'))
  }
}

/** On Linux a priority is of one thread, and threads that run already keep theirs. */
function threadsOf(pid: number): number[] {
  return ignoreErrors(() => readdirSync(`/proc/${pid}/task`).map(Number)) ?? [pid]
}

/**
 * Where the kernel shares processors between sessions first (CONFIG_SCHED_AUTOGROUP), a priority counts only within a
 * session, and bubblewrap begins one for every program. Then the session has to yield as a whole.
 */
function lowerGroupPriority(pid: number): void {
  const groupOf = (process: number | 'self') => readFileSync(`/proc/${process}/autogroup`, 'latin1').split(' nice ')
  const [group, priority] = groupOf(pid)
  if (group === groupOf('self')[0] || Number(priority) === constants.priority.PRIORITY_BELOW_NORMAL) return
  writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_BELOW_NORMAL))
}

/** A process and all below it: what runs in the sandbox is a child of the process that we started. */
function withDescendants(pid: number): number[] {
  const children = ignoreErrors(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')) ?? ''
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(withDescendants)]
}

/** Memory a process and those below it hold now; undefined once it is gone, and where there is no /proc (then only the time limit holds). */
export function residentMb(pid: number): number | undefined {
  const [own, ...below] = withDescendants(pid).map(ownResidentMb)
  return own === undefined ? undefined : below.reduce<number>((sum, used = 0) => sum + used, own)
}

function ownResidentMb(pid: number): number | undefined {
  // `status` rather than the shorter `statm`, which counts in pages of a size that differs between machines.
  const status = ignoreErrors(() => readFileSync(`/proc/${pid}/status`, 'latin1'))
  const kilobytes = status && /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

function kill(pid: number): void {
  ignoreErrors(() => process.kill(pid, 'SIGKILL'))
}

/** The process may be gone, or the platform may lack the means: both leave nothing to do. */
function ignoreErrors<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

function readableTime(ms: number): string {
  if (ms < 2_000) return `${ms} ms`
  return ms < 120_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`
}
