import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import {
  findProgram,
  KILL_WITH_PARENT,
  killTree,
  limitError,
  lowerPriority,
  MAX_OUTPUT_MB,
  OWN_GROUP,
  outputTooLarge,
  type ProcessLimits,
  watchProcess,
  withFileLimit,
} from '../child-process.ts'
import { cancelled, ProcessingError, unreadable, unsupported } from '../errors.ts'

import type { Sandbox } from '../sandbox/sandbox.ts'

/** Renders RAW files without a usable embedded JPEG, with LibRaw's `dcraw_emu` program. */
export interface RawRenderer {
  /** Checked each time, so that installing the program needs no restart. */
  isInstalled(): Promise<boolean>
  /** Writes an upright TIFF in sRGB to `target`, in a folder that the caller removes. Throws a ProcessingError. */
  render(path: string, target: string, signal?: AbortSignal): Promise<void>
}

export interface RendererOptions extends Partial<ProcessLimits> {
  /** The PATH variable. */
  readonly searchPath: string | undefined
  readonly sandbox: Sandbox
  /** Called once when a file needs the program and it is missing. */
  log(sentence: string, cause: unknown): void
}

export const LIBRAW_MISSING =
  'LibRaw is not installed on this machine, so RAW files without a JPEG inside cannot be shown. Install it (on Debian and Ubuntu: apt-get install libraw-bin), then retry the files that failed.'

const PROGRAM = 'dcraw_emu'
/** 50 megapixels take about a gigabyte and, on one slow core, a minute. */
const defaultLimits: ProcessLimits = { memoryMb: 1_500, timeoutMs: 120_000 }
/** How much of the program's stderr is kept for the log. */
const KEPT_STDERR = 2_000

export function openRawRenderer({ searchPath = '', sandbox, log, ...given }: RendererOptions): RawRenderer {
  const limits = { ...defaultLimits, ...given, outputMb: given.outputMb ?? MAX_OUTPUT_MB }
  let found: string | undefined
  let logged = false

  async function find(): Promise<string | undefined> {
    const candidate = await findProgram(PROGRAM, searchPath)
    // If the program was uninstalled, files must not be reported as damaged.
    if (candidate !== found) found = undefined
    if (found === undefined && candidate !== undefined && (await isUsable(candidate, sandbox))) found = candidate
    return found
  }

  return {
    isInstalled: async () => (await find()) !== undefined,
    async render(path, target, signal) {
      const program = await find()
      if (program === undefined) {
        if (!logged) log(LIBRAW_MISSING, undefined)
        logged = true
        throw unsupported()
      }
      // In the sandbox only existing files can be written.
      await writeFile(target, '')
      // Camera white balance, sRGB, TIFF.
      const args = ['-w', '-o', '1', '-T', '-Z', resolve(target), resolve(path)]
      const files = { code: [program], reads: [resolve(path)], writes: [resolve(target)] }
      const command = withFileLimit(sandbox.program([program, ...args], files), limits.outputMb)
      const { output, error } = await run(command, limits, signal)
      const written = await stat(target)
      if (written.size >= limits.outputMb * 1024 * 1024) throw outputTooLarge(limits.outputMb)
      if (error) throw error
      // Its exit code is always 0; only the output shows whether it succeeded.
      if (written.size === 0) throw explain(output)
      if (!(await isWholeTiff(target, written.size))) throw notWritten()
    },
  }
}

/** It has no version option; without arguments it prints its usage. */
async function isUsable(path: string, sandbox: Sandbox): Promise<boolean> {
  const [file = '', ...args] = sandbox.program([path], { code: [path] })
  const options = { timeout: 20_000, env: {} }
  const outcome: { stdout: string; stderr: string } = await promisify(execFile)(file, args, options).catch(
    error => error,
  )
  return `${outcome.stdout}${outcome.stderr}`.includes('dcraw emulator')
}

interface RunResult {
  readonly output: string
  /** If the program could not be started or was killed by a signal. */
  readonly error?: ProcessingError
}

async function run(command: string[], limits: ProcessLimits, signal: AbortSignal | undefined): Promise<RunResult> {
  if (signal?.aborted) throw cancelled()
  // One thread: the queue already works on several files at once.
  const env = { OMP_NUM_THREADS: '1' }
  const child = spawn('/bin/sh', ['-c', KILL_WITH_PARENT, PROGRAM, ...command], {
    cwd: '/',
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
    ...OWN_GROUP,
  })
  const { pid } = child
  if (pid === undefined) throw await notStarted(child)
  lowerPriority(pid)
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT_STDERR)
  })
  child.stdin.on('error', () => undefined)
  const watch = watchProcess(pid, limits)
  const abort = () => killTree(pid)
  signal?.addEventListener('abort', abort)
  child.once('exit', () => child.stdin.end('done\n'))
  const [code, killedBy] = await once(child, 'close')
  signal?.removeEventListener('abort', abort)
  const broken = watch.stop()
  if (signal?.aborted) throw cancelled()
  if (broken) throw limitError(broken, limits)
  const cause = new Error(`${PROGRAM} ended with ${killedBy ?? `code ${code}`}: ${output}`)
  if (killedBy !== null || code > 128) {
    const sentence = 'The RAW decoder ended unexpectedly while it read this file.'
    return { output, error: new ProcessingError('crashed', sentence, { cause }) }
  }
  // Exit codes of shells and `env` for a program that cannot be started.
  if (code === 126 || code === 127) return { output, error: couldNotStart(cause) }
  return { output }
}

const [STRIP_OFFSETS, STRIP_LENGTHS] = [273, 279]

/**
 * Whether LibRaw's TIFF was written completely: LibRaw ignores failed writes. It writes one uncompressed strip, in the
 * byte order of this machine.
 */
async function isWholeTiff(path: string, size: number): Promise<boolean> {
  await using file = await open(path)
  const head = Buffer.alloc(4_096)
  await file.read(head, 0, head.length, 0)
  const little = head.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (little ? head.readUInt16LE(at) : head.readUInt16BE(at))
  const long = (at: number) => (little ? head.readUInt32LE(at) : head.readUInt32BE(at))
  const fields = new Map<number, number>()
  const directory = long(4)
  if (directory + 2 > head.length) return false
  for (let left = short(directory), at = directory + 2; left > 0 && at + 12 <= head.length; left--, at += 12) {
    fields.set(short(at), long(at + 8))
  }
  const [offset, length] = [fields.get(STRIP_OFFSETS), fields.get(STRIP_LENGTHS)]
  return offset !== undefined && length !== undefined && length > 0 && offset + length <= size
}

/** Below the output limit, only a full disk can be the cause. */
function notWritten(): ProcessingError {
  return new ProcessingError('no_space', 'The RAW decoder could not write the whole picture; the disk may be full.')
}

function explain(output: string): ProcessingError {
  if (/Unsupported file format|not RAW file|not supported/i.test(output)) return unsupported()
  if (/Unexpected end of file|Input\/output error|corrupted/i.test(output))
    return unreadable({ reason: 'its end is missing' })
  return unreadable({ reason: 'no picture could be developed from it', cause: output })
}

async function notStarted(child: ChildProcess): Promise<ProcessingError> {
  const [cause] = await once(child, 'error')
  return couldNotStart(cause)
}

function couldNotStart(cause: unknown): ProcessingError {
  return new ProcessingError('crashed', 'The RAW decoder could not be started.', { cause })
}
