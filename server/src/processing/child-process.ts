import { constants as fileConstants, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'

import { ProcessingError } from './errors.ts'

export interface ProcessLimits {
  readonly memoryMb: number
  /** Time spent waiting for a CPU does not count: on a busy machine a low-priority process may get one rarely. */
  readonly timeoutMs: number
  /** How much it may write, in one file and in all files of its output folder. Absent: {@link MAX_OUTPUT_MB}. */
  readonly outputMb?: number | undefined
  /** Default: low. */
  readonly priority?: number | undefined
}

export type BrokenLimit = 'time' | 'memory' | 'disk'

/** The largest decoded picture with four channels of 16 bits, which libvips may write to a temporary file. */
export const MAX_OUTPUT_MB = 2_200

export interface ProcessWatch {
  /** Stops watching. Returns the limit that was exceeded, if any. */
  stop(): BrokenLimit | undefined
}

/** A decoder can allocate a gigabyte per second; the interval bounds how far it can exceed its limit. */
const MEMORY_CHECK_MS = 50
/** The output folder and the time without a CPU are checked with every tenth memory check. */
const SLOW_CHECK_EVERY = 10
/** However busy the machine is, a process ends after this many times its timeout. */
const MAX_STARVATION_FACTOR = 30

/** Kills a process that exceeds its limits. In its `exit` event, `stop()` returns whether that was the reason. */
export function watchProcess(pid: number, limits: ProcessLimits, outputFolder?: string): ProcessWatch {
  let broken: BrokenLimit | undefined
  const end = (limit: BrokenLimit) => {
    broken ??= limit
    killTree(pid)
  }
  const starvation = watchStarvation(pid)
  let timer = setTimeout(checkTime, limits.timeoutMs, limits.timeoutMs)
  function checkTime(elapsedMs: number): void {
    const extensionMs =
      Math.min(limits.timeoutMs * MAX_STARVATION_FACTOR, limits.timeoutMs + starvation.measureMs()) - elapsedMs
    if (extensionMs < 1) end('time')
    else timer = setTimeout(checkTime, extensionMs, elapsedMs + extensionMs)
  }
  let checks = 0
  const meter = setInterval(() => {
    // Again, since a program in the sandbox starts a moment after the process whose priority was lowered.
    if (checks++ === 0) lowerPriority(pid, limits.priority)
    const used = residentMb(pid)
    if (used !== undefined && used > limits.memoryMb) end('memory')
    if (checks % SLOW_CHECK_EVERY !== 0) return
    starvation.measureMs()
    if (outputFolder && folderMb(outputFolder) > (limits.outputMb ?? MAX_OUTPUT_MB)) end('disk')
  }, MEMORY_CHECK_MS)
  return {
    stop() {
      clearTimeout(timer)
      clearInterval(meter)
      return broken
    },
  }
}

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
 * Limits the size of each file that a command can write: beyond it the system kills it with SIGXFSZ, or fails the write
 * if the program ignores that signal, as Node does.
 */
export function withFileLimit(command: readonly string[], outputMb = MAX_OUTPUT_MB): string[] {
  if (process.platform === 'win32') return [...command]
  // The shell counts blocks of 512 bytes. `exec` keeps the pid, which is the one that is watched.
  return ['/bin/sh', '-c', `ulimit -f ${Math.ceil(outputMb) * 2048}; exec "$@"`, 'sh', ...command]
}

/**
 * Shell script that replaces itself by a program (so that the pid we limit and kill is the program's) and leaves a
 * watcher that kills the program's process group when this server dies, since ffmpeg would otherwise encode for hours.
 * The watcher waits for the pipe on stdin to close; a line through the pipe ends it.
 */
export const KILL_WITH_PARENT =
  'exec 3<&0; { read -r _ <&3 || kill -9 -$$; } >/dev/null 2>&1 & exec 3<&- </dev/null; exec "$@"'

/**
 * For programs in the sandbox: makes them the leader of a process group, so that {@link killTree} reaches all of it.
 * bubblewrap starts a second process, which waits for the first one forever if only that one is killed.
 */
export const OWN_GROUP = { detached: true }

/** Size of the files in a folder, without subfolders: decoders cannot create any. */
export function folderMb(folder: string): number {
  const names = ignoreErrors(() => readdirSync(folder)) ?? []
  const bytes = names.map(name => ignoreErrors(() => lstatSync(join(folder, name)).size) ?? 0)
  return bytes.reduce((sum, size) => sum + size, 0) / 1024 / 1024
}

/**
 * Lowest CPU priority, and first to be killed when memory runs out. Only because of this may decoders keep all cores busy
 * without delaying the server.
 */
export function lowerPriority(pid: number, priority: number = constants.priority.PRIORITY_LOW): void {
  for (const process of withDescendants(pid)) {
    for (const thread of threadsOf(process)) {
      ignoreErrors(() => setPriority(thread, priority))
    }
    ignoreErrors(() => lowerGroupPriority(process, priority))
    ignoreErrors(() => writeFileSync(`/proc/${process}/oom_score_adj`, '1000'))
  }
}

/** On Linux each thread has its own priority, and existing threads keep theirs. */
function threadsOf(pid: number): number[] {
  return ignoreErrors(() => readdirSync(`/proc/${pid}/task`).map(Number)) ?? [pid]
}

/**
 * With CONFIG_SCHED_AUTOGROUP a priority counts only within a session, and bubblewrap starts a session for each program.
 * Then the priority of the whole session must be lowered.
 */
function lowerGroupPriority(pid: number, priority: number): void {
  const groupOf = (process: number | 'self') => readFileSync(`/proc/${process}/autogroup`, 'latin1').split(' nice ')
  const [group, current] = groupOf(pid)
  if (group === groupOf('self')[0] || Number(current) === priority) return
  writeFileSync(`/proc/${pid}/autogroup`, String(priority))
}

/** A process and its descendants: the program in the sandbox is a child of the process that we started. */
function withDescendants(pid: number): number[] {
  const children = ignoreErrors(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')) ?? ''
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(withDescendants)]
}

/** Measures how long a process and its descendants could not run because other processes had the CPUs. */
function watchStarvation(pid: number) {
  let before = runQueueWaits(pid)
  let totalMs = 0
  return {
    /** In total since the watch began. Threads wait at the same time, so the one that waited longest counts. */
    measureMs(): number {
      const now = runQueueWaits(pid)
      totalMs += Math.max(0, ...[...now].map(([thread, ms]) => ms - (before.get(thread) ?? 0)))
      before = now
      return totalMs
    },
  }
}

/** Milliseconds that each thread has waited for a CPU; empty where the kernel does not count them. */
function runQueueWaits(pid: number): Map<number, number> {
  const waits = new Map<number, number>()
  for (const thread of withDescendants(pid).flatMap(threadsOf)) {
    const [, waitedNs] = ignoreErrors(() => readFileSync(`/proc/${thread}/schedstat`, 'latin1').split(' ')) ?? []
    if (waitedNs !== undefined) waits.set(thread, Number(waitedNs) / 1e6)
  }
  return waits
}

/** Memory of a process and its descendants; undefined after it ended, and without /proc (then only the timeout applies). */
export function residentMb(pid: number): number | undefined {
  const [own, ...below] = withDescendants(pid).map(ownResidentMb)
  return own === undefined ? undefined : below.reduce<number>((sum, used = 0) => sum + used, own)
}

function ownResidentMb(pid: number): number | undefined {
  // `status` rather than `statm`, whose page size differs between machines.
  const status = ignoreErrors(() => readFileSync(`/proc/${pid}/status`, 'latin1'))
  const kilobytes = status && /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/** Kills a process started with {@link OWN_GROUP} and everything that it has started. */
export function killTree(pid: number): void {
  // Inside the sandbox a program has a group of its own; while bubblewrap is being set up, it is still in ours.
  const processes = withDescendants(pid)
  for (const target of [-pid, ...processes]) ignoreErrors(() => process.kill(target, 'SIGKILL'))
}

/** The process may have ended, or the platform may not support this. */
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

/** The first program of this name in a PATH variable. Ignores relative folders. */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const candidate = join(folder, name)
    if (await isExecutable(candidate)) return candidate
  }
  return undefined
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, fileConstants.X_OK).then(
    () => true,
    () => false,
  )
}
