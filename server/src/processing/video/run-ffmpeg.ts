import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { ProcessingError } from '../errors.ts'
import { limitError, lowerPriority, outputTooLarge, watchProcess, withFileLimit } from '../watch-process.ts'
import { codeOf, type Ffmpeg } from './find-ffmpeg.ts'

export interface VideoLimits {
  readonly memoryMb: number
  /** For decoding, filtering and encoding each. */
  readonly threads: number
  /** A run that makes no progress for this long is ended. On a busy machine minutes can pass before the first frame. */
  readonly stallMs: number
  /** For one run of ffmpeg over a video of no length. */
  readonly timeoutMs: number
  /** Added to the time of a conversion for each second of video: a slow machine needs a minute for a second of 4K HDR. */
  readonly timeoutMsPerSecond: number
  /** What it may write, beside eight times what it reads: formats that compress better become larger. */
  readonly outputMb: number
}

/** A 4K HDR video takes about 1.5 GB; anything smaller far less. */
export const defaultVideoLimits: VideoLimits = {
  memoryMb: 2_500,
  threads: 2,
  stallMs: 300_000,
  timeoutMs: 1_800_000,
  timeoutMsPerSecond: 100_000,
  outputMb: 2_000,
}

/** What every piece of work on a video needs. */
export interface VideoTools {
  readonly ffmpeg: Ffmpeg
  readonly limits?: Partial<VideoLimits> | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FfmpegRun {
  readonly args: readonly string[]
  /** The file being read. In the sandbox ffmpeg sees this one, the one it writes, and no other. */
  readonly reads?: string | undefined
  /** Called with how far into the video the work is. */
  readonly onProgress?: ((seconds: number) => void) | undefined
  /** How long the video is, where the work takes longer for a longer video. */
  readonly videoSeconds?: number | undefined
  /** The file being written: while it changes the work is alive, even when ffmpeg reports nothing. */
  readonly writes?: string | undefined
}

export interface FfmpegResult {
  readonly ok: boolean
  /** Its exit code, or the signal that it died of. */
  readonly ending: string
  /** The end of what it said. */
  readonly stderr: string
  /** How far it came; null when it reported nothing. */
  readonly seconds: number | null
}

/**
 * Starts ffmpeg in the shell's own process (so that its pid is the one we limit and kill) with a watcher beside it.
 * When this server dies without a word, the pipe it held closes and the watcher kills ffmpeg, which would otherwise
 * encode on for hours: a closed progress pipe doesn't stop it. A line through the pipe sends the watcher home.
 */
export const KILL_WITH_PARENT =
  'exec 3<&0; { read -r _ <&3 || kill -9 $$; } >/dev/null 2>&1 & exec 3<&- </dev/null; exec "$@"'

/** Enough for the report on a file with many streams; what else comes is dropped as it comes. */
const KEPT_STDERR = 256 * 1024

/** Runs ffmpeg within limits. Throws when it was stopped; an ffmpeg that failed by itself is the caller's to explain. */
export async function runFfmpeg(tools: VideoTools, run: FfmpegRun): Promise<FfmpegResult> {
  const { ffmpeg, signal } = tools
  if (signal?.aborted) throw cancelled()
  const limits = { ...defaultVideoLimits, ...tools.limits }
  const timeoutMs = limits.timeoutMs + limits.timeoutMsPerSecond * (run.videoSeconds ?? 0)
  const processLimits = { memoryMb: limits.memoryMb, timeoutMs: Math.min(timeoutMs, LONGEST_TIMER_MS) }

  const fixed = ['-nostdin', '-hide_banner', '-loglevel', 'warning', '-filter_threads', String(limits.threads)]
  const reporting = ['-nostats', '-progress', 'pipe:1']
  const command = await sandboxed(ffmpeg, run, [ffmpeg.path, ...fixed, ...reporting, ...run.args])
  const outputMb = limits.outputMb + 8 * megabytesOf(run.reads)
  const child = spawn('/bin/sh', ['-c', KILL_WITH_PARENT, 'ffmpeg', ...withFileLimit(command, outputMb)], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw await notStarted(child)
  lowerPriority(pid)

  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-KEPT_STDERR)
  })
  const progress = new Progress(run.onProgress)
  child.stdout.setEncoding('utf8').on('data', (text: string) => progress.read(text))
  // The watcher may be gone before the word that sends it home.
  child.stdin.on('error', () => undefined)

  const watch = watchProcess(pid, processLimits)
  const stall = watchForStall(
    () => `${progress.mark} ${changedAt(run.writes)}`,
    limits.stallMs,
    () => child.kill('SIGKILL'),
  )
  const abort = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', abort)
  child.once('exit', () => child.stdin.end('done\n'))
  const [code, killedBy] = await once(child, 'close')
  signal?.removeEventListener('abort', abort)
  const stalled = stall.stop()
  const broken = watch.stop()

  if (signal?.aborted) throw cancelled()
  if (broken) throw withDetail(limitError(broken, processLimits), said)
  if (stalled) throw withDetail(new ProcessingError('time', STALLED), said)
  const ending = killedBy ?? endingOf(code, ffmpeg)
  // As process 1 of the sandbox it is not ended by the signal; its write fails.
  const isFull = code !== 0 && megabytesOf(run.writes) >= Math.ceil(outputMb)
  if (ending === 'SIGXFSZ' || isFull) throw withDetail(outputTooLarge(Math.ceil(outputMb)), said)
  return { ok: code === 0, ending, stderr: said, seconds: progress.seconds }
}

/** The command in the sandbox, if there is one. What is written must exist before, to be visible there. */
async function sandboxed(
  { path, sandbox }: Ffmpeg,
  { reads, writes }: FfmpegRun,
  command: string[],
): Promise<string[]> {
  if (sandbox.level !== 'full') return command
  if (writes !== undefined) await writeFile(writes, '')
  return sandbox.program(command, {
    code: codeOf(path),
    reads: reads === undefined ? [] : [resolve(reads)],
    writes: writes === undefined ? [] : [resolve(writes)],
  })
}

/** Of a program that died of a signal, bubblewrap gives 128 plus the number of the signal. */
function endingOf(code: number, { sandbox }: Ffmpeg): string {
  const signals = sandbox.level === 'full' ? Object.entries(constants.signals) : []
  return signals.find(([, number]) => number === code - 128)?.[0] ?? `code ${code}`
}

/** What a timer of Node can hold; about 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

const STALLED = 'Processing was stopped because it made no progress any more.'

async function notStarted(child: ChildProcess): Promise<ProcessingError> {
  const [cause] = await once(child, 'error')
  return new ProcessingError('crashed', 'The video program could not be started.', { cause })
}

function cancelled(): ProcessingError {
  return new ProcessingError('cancelled', 'Processing was cancelled.')
}

/** The same failure, with what the program said for the log. */
function withDetail(error: ProcessingError, said: string): ProcessingError {
  return new ProcessingError(error.failure, error.message, { cause: new Error(printableTail(said)) })
}

/** The end of what ffmpeg said, fit for a log. */
export function printableTail(said: string): string {
  // It quotes the file, and a hostile file may hold characters that play tricks on a terminal.
  return said
    .replace(/[^\P{C}\n]/gu, '')
    .trim()
    .slice(-2_000)
}

/** Reads the `key=value` lines of ffmpeg's progress report. */
class Progress {
  /** Differs whenever the work went on. */
  mark = ''
  seconds: number | null = null
  #rest = ''
  readonly #latest = new Map<string, string>()
  readonly #onProgress: ((seconds: number) => void) | undefined

  constructor(onProgress: ((seconds: number) => void) | undefined) {
    this.#onProgress = onProgress
  }

  read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = (lines.pop() ?? '').slice(-1_000)
    for (const line of lines) {
      const [key = '', value = ''] = line.trim().split('=', 2)
      this.#latest.set(key, value)
    }
    this.mark = ['frame', 'out_time_us', 'total_size', 'drop_frames'].map(key => this.#latest.get(key)).join(' ')
    const microseconds = Number(this.#latest.get('out_time_us') ?? Number.NaN)
    if (!Number.isFinite(microseconds) || microseconds < 0) return
    this.seconds = microseconds / 1e6
    this.#onProgress?.(this.seconds)
  }
}

function watchForStall(mark: () => string, stallMs: number, kill: () => void): { stop(): boolean } {
  let stalled = false
  let last = mark()
  let changed = performance.now()
  const timer = setInterval(
    () => {
      const now = mark()
      if (now !== last) {
        last = now
        changed = performance.now()
      } else if (performance.now() - changed > stallMs) {
        stalled = true
        kill()
      }
    },
    Math.min(1_000, stallMs / 4),
  )
  return {
    stop() {
      clearInterval(timer)
      return stalled
    },
  }
}

function megabytesOf(path: string | undefined): number {
  return path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024
}

function changedAt(path: string | undefined): number {
  return path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
}
