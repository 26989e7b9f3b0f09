import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { resolve } from 'node:path'
import {
  KILL_WITH_PARENT,
  killTree,
  limitError,
  lowerPriority,
  OWN_GROUP,
  outputTooLarge,
  watchProcess,
  withFileLimit,
} from '../child-process.ts'
import { cancelled, ProcessingError, type ProcessingFailure } from '../errors.ts'

import { codeOf, type Ffmpeg } from './find-ffmpeg.ts'

export interface VideoLimits {
  readonly memoryMb: number
  /** For decoding, filtering and encoding each. */
  readonly threads: number
  /** A run without progress for this long is killed. On a busy machine the first frame can take minutes. */
  readonly stallMs: number
  /** Base timeout of a run that encodes the whole video. */
  readonly timeoutMs: number
  /** Added per second of video: a slow machine needs a minute for a second of 4K HDR. */
  readonly timeoutMsPerSecond: number
  /** Base timeout of a run that only reads the video, so that a small broken file fails soon. */
  readonly readTimeoutMs: number
  /** Added per megabyte of the file. */
  readonly readTimeoutMsPerMb: number
  /** Output limit, in addition to eight times the input size: H.264 is larger than newer formats. */
  readonly outputMb: number
}

/** A 4K HDR video takes about 1.5 GB, smaller ones far less. */
export const defaultVideoLimits: VideoLimits = {
  memoryMb: 2_500,
  threads: 2,
  stallMs: 300_000,
  timeoutMs: 1_800_000,
  timeoutMsPerSecond: 100_000,
  readTimeoutMs: 15_000,
  readTimeoutMsPerMb: 5_000,
  outputMb: 2_000,
}

export interface VideoTools {
  readonly ffmpeg: Ffmpeg
  readonly limits?: Partial<VideoLimits> | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FfmpegRun {
  readonly args: readonly string[]
  /** Input file. In the sandbox ffmpeg sees only this one and the output. */
  readonly reads?: string | undefined
  /** Called with the current position in the video. */
  readonly onProgress?: ((seconds: number) => void) | undefined
  /** Length of the video (null: not known) for a run that encodes all of it. Absent: the run only reads the input. */
  readonly encodesSeconds?: number | null | undefined
  /** Output file. Its changes count as progress even if ffmpeg reports none. */
  readonly writes?: string | undefined
}

export interface FfmpegResult {
  readonly ok: boolean
  /** Exit code or signal. */
  readonly ending: string
  /** The end of its stderr. */
  readonly stderr: string
  /** The last reported position; null if there was none. */
  readonly seconds: number | null
}

/** Enough for the report on a file with many streams. */
const KEPT_STDERR = 256 * 1024

/** Runs ffmpeg within limits. Throws if it was stopped; if ffmpeg itself fails, the caller handles the result. */
export async function runFfmpeg(tools: VideoTools, run: FfmpegRun): Promise<FfmpegResult> {
  const { ffmpeg, signal } = tools
  const limits = { ...defaultVideoLimits, ...tools.limits }
  const timeoutMs = Math.min(timeoutOf(run, limits), LONGEST_TIMER_MS)
  const processLimits = { memoryMb: limits.memoryMb, timeoutMs }

  const fixed = ['-nostdin', '-hide_banner', '-loglevel', 'warning', '-filter_threads', String(limits.threads)]
  const reporting = ['-nostats', '-progress', 'pipe:1']
  const command = await sandboxed(ffmpeg, run, [ffmpeg.path, ...fixed, ...reporting, ...run.args])
  const outputMb = limits.outputMb + 8 * megabytesOf(run.reads)
  // Nothing is awaited between this and the listener, which would miss an abort.
  if (signal?.aborted) throw cancelled()
  const child = spawn('/bin/sh', ['-c', KILL_WITH_PARENT, 'ffmpeg', ...withFileLimit(command, outputMb)], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    ...OWN_GROUP,
  })
  const { pid } = child
  if (pid === undefined) throw await notStarted(child)
  lowerPriority(pid)

  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR)
  })
  const progress = new Progress(run.onProgress)
  child.stdout.setEncoding('utf8').on('data', (text: string) => progress.read(text))
  // The watcher may have ended before the line that ends it is written.
  child.stdin.on('error', () => undefined)

  const watch = watchProcess(pid, processLimits)
  const stall = watchForStall(
    () => `${progress.mark} ${changedAt(run.writes)}`,
    limits.stallMs,
    () => killTree(pid),
  )
  const abort = () => killTree(pid)
  signal?.addEventListener('abort', abort)
  child.once('exit', () => child.stdin.end('done\n'))
  const [code, killedBy] = await once(child, 'close')
  signal?.removeEventListener('abort', abort)
  const stalled = stall.stop()
  const broken = watch.stop()

  if (signal?.aborted) throw cancelled()
  if (broken) throw withDetail(limitError(broken, processLimits), stderr)
  if (stalled) throw withDetail(new ProcessingError('time', STALLED), stderr)
  if (code !== 0 && stderr.includes(READ_ERROR)) await refuseIfDiskFails(run.reads, stderr, signal)
  const ending = killedBy ?? endingOf(code, ffmpeg)
  // As process 1 of the sandbox it is not killed by the signal; instead its write fails.
  const isFull = code !== 0 && megabytesOf(run.writes) >= Math.ceil(outputMb)
  if (ending === 'SIGXFSZ' || isFull) throw withDetail(outputTooLarge(Math.ceil(outputMb)), stderr)
  return { ok: code === 0, ending, stderr, seconds: progress.seconds }
}

const READ_ERROR = 'Input/output error'

/** ffmpeg reports this error for files that are cut off as well, so only reading the file shows who is to blame. */
async function refuseIfDiskFails(path: string | undefined, stderr: string, signal?: AbortSignal): Promise<void> {
  if (path === undefined) return
  try {
    for await (const _chunk of createReadStream(path, { signal }));
  } catch {
    if (signal?.aborted) throw cancelled()
    throw withDetail(new ProcessingError('crashed', 'The video could not be read from the disk.'), stderr)
  }
}

function timeoutOf({ encodesSeconds, reads }: FfmpegRun, limits: VideoLimits): number {
  if (encodesSeconds === undefined) return limits.readTimeoutMs + limits.readTimeoutMsPerMb * megabytesOf(reads)
  return limits.timeoutMs + limits.timeoutMsPerSecond * (encodesSeconds ?? 0)
}

/** The command in the sandbox, if there is one. The output file must exist to be visible there. */
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

/** For a program killed by a signal, bubblewrap's exit code is 128 plus the number of the signal. */
function endingOf(code: number, { sandbox }: Ffmpeg): string {
  const signals = sandbox.level === 'full' ? Object.entries(constants.signals) : []
  return signals.find(([, number]) => number === code - 128)?.[0] ?? `code ${code}`
}

/** The maximum of Node's timers, about 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

const STALLED = 'Processing was stopped because it made no progress any more.'

async function notStarted(child: ChildProcess): Promise<ProcessingError> {
  const [cause] = await once(child, 'error')
  return new ProcessingError('crashed', 'The video program could not be started.', { cause })
}

/** The same failure with the end of stderr as its cause. */
function withDetail(error: ProcessingError, stderr: string): ProcessingError {
  return new ProcessingError(error.failure, error.message, { cause: new Error(printableTail(stderr)) })
}

/** The end of stderr, safe for a log. */
export function printableTail(stderr: string): string {
  // ffmpeg quotes the file, and a hostile file may contain terminal control characters.
  return stderr
    .replace(/[^\P{C}\n]/gu, '')
    .trim()
    .slice(-2_000)
}

/** Reads the `key=value` lines of ffmpeg's progress report. */
class Progress {
  /** Changes with every progress. */
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

type FailedStep = 'read' | 'converted' | 'shown'

const messages: Record<FailedStep, string> = {
  read: 'The video could not be read',
  converted: 'The video could not be converted',
  shown: 'No picture could be taken from the video',
}

/** Known error messages of ffmpeg. The first match wins; later ones are more general. */
const knownErrors: { pattern: RegExp; failure: ProcessingFailure; because: string }[] = [
  { pattern: /No space left on device/, failure: 'no_space', because: 'the disk is full' },
  // The machine's memory, which may suffice later; the limit per process is enforced by watchProcess.
  {
    pattern: /Cannot allocate memory|Resource temporarily unavailable/,
    failure: 'crashed',
    because: 'there was not enough memory',
  },
  {
    pattern: /^bwrap: |error while loading shared libraries|Permission denied|write_frame\(\): Input\/output error/m,
    failure: 'crashed',
    because: 'the video program does not work on this server',
  },
  { pattern: /not on whitelist|not on white list/i, failure: 'unreadable', because: 'it is not a video file' },
  {
    pattern: /moov atom not found|ended prematurely|partial file|truncat|: End of file/i,
    failure: 'unreadable',
    because: 'it seems to be cut off',
  },
  {
    pattern: /Decoder \(codec \S+\) not found|no decoder found|unknown decoder|unsupported type/i,
    failure: 'unreadable',
    because: 'its picture or sound is in a format that is not known here',
  },
  { pattern: /Unknown encoder/, failure: 'crashed', because: 'the video program on this server lacks an encoder' },
  { pattern: /Picture size \S+ is invalid/, failure: 'too_large', because: 'its picture is too large' },
  {
    pattern: /Output file is empty, nothing was encoded|Cannot determine format of input stream/,
    failure: 'unreadable',
    because: 'there is no picture in it',
  },
  {
    pattern: /Invalid data found|Error while (opening decoder|decoding)|corrupt|could not find codec parameters/i,
    failure: 'unreadable',
    because: 'it is damaged',
  },
]

/** Sent from outside, for example by a system that runs out of memory. All other signals come from what ffmpeg did. */
const signalsFromOutside = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

/**
 * Error for a failed ffmpeg: a sentence for people, with the end of stderr as its cause. Unless the machine is the reason,
 * it is the file, which would fail in the same way again.
 */
export function ffmpegError(act: FailedStep, outcome: FfmpegResult): ProcessingError {
  const cause = new Error(`ffmpeg ended with ${outcome.ending}: ${printableTail(outcome.stderr)}`)
  if (outcome.ending.startsWith('SIG')) {
    const failure = signalsFromOutside.has(outcome.ending) ? 'crashed' : 'unreadable'
    return new ProcessingError(failure, `${messages[act]}: the video program broke down over it.`, { cause })
  }
  const meaning = knownErrors.find(({ pattern }) => pattern.test(outcome.stderr))
  if (!meaning) return new ProcessingError('unreadable', `${messages[act]}.`, { cause })
  return new ProcessingError(meaning.failure, `${messages[act]}: ${meaning.because}.`, { cause })
}

/**
 * Allowed containers. Excludes above all formats that make ffmpeg read or fetch other files: playlists (HLS, DASH, concat,
 * SDP), image sequences, generated sources.
 */
const CONTAINERS = [
  ...['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'],
  ...['matroska', 'webm'],
  ...['mpegts', 'mpeg', 'avi', 'asf', 'flv', 'ogg', 'dv', 'mxf'],
  // MPEG pictures without a container.
  'mpegvideo',
]

/** Allows 8K from a 360° camera, but not huge frames that would exhaust the memory. */
export const MAX_VIDEO_PIXELS = 8192 * 8192

/**
 * Arguments that open only this file, whatever its name or content. Streams are searched in the first 50 MB, since the
 * audio of camcorders may start late.
 */
export function inputFile(path: string, limits: Partial<VideoLimits> = {}): string[] {
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS.join(',')],
    ...['-max_pixels', String(MAX_VIDEO_PIXELS), '-probesize', '50M', '-analyzeduration', '30M'],
    ...['-threads', String(limits.threads ?? defaultVideoLimits.threads)],
    ...['-i', localFile(path)],
  ]
}

/** A path that ffmpeg cannot take for an option, a protocol or a pattern. */
export function localFile(path: string): string {
  return `file:${resolve(path)}`
}
