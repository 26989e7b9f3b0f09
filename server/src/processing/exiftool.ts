import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ExifTool } from 'exiftool-vendored'
import type { Tags } from './dates/date-from-tags.ts'
import { ProcessingError } from './errors.ts'
import { type ExtractedMetadata, metadataFromTags, noMetadata, wantedTags } from './metadata.ts'
import { BadOutput, type Exchange } from './sandbox/exchange.ts'
import { exchangeMounts, noSandbox, type Sandbox } from './sandbox/sandbox.ts'
import {
  folderMb,
  lowerPriority,
  MAX_OUTPUT_MB,
  type ProcessLimits,
  residentMb,
  withFileLimit,
} from './watch-process.ts'

export interface MetadataReader {
  /** All that the camera wrote into a file, which people know by `name`. Never fails: what cannot be read is not known. */
  read(path: string, name?: string | undefined): Promise<ExtractedMetadata>
  /**
   * Writes the largest picture that a RAW file carries inside to `target`, and tells how it must be turned. Undefined:
   * it carries none.
   */
  extractPreview(path: string, target: string): Promise<RawPreview | undefined>
  close(): Promise<void>
}

export interface RawPreview {
  readonly orientation: number | undefined
  readonly bytes: number
}

export interface ReaderOptions {
  /** Called once when exiftool cannot run at all. */
  warn(sentence: string, cause: unknown): void
  /** Called when a file was too much for it. */
  log(sentence: string, cause: unknown): void
  /** Where exiftool is, if not the one that npm installed. */
  program?: string
  timeoutMs?: number
  memoryMb?: number
  /** How much may be written, for the preview inside a RAW file. */
  outputMb?: number
  /** How many files are read at the same time. */
  processes?: number
  sandbox?: Sandbox
  /** For dates in UTC, where nothing else tells the zone. */
  homeTimeZone?: string
}

interface ExiftoolOptions extends ProcessLimits {
  readonly program: string | undefined
  readonly processes: number
  readonly sandbox: Sandbox
  readonly exchange: Exchange | undefined
  onLimit(): void
}

interface ExiftoolPool {
  /** One for every exiftool process, since the library starts and ends them as it needs. Files that wait are visible to all. */
  readonly exchange: Exchange | undefined
  exiftool: Promise<ExifTool> | undefined
  /** Aborted when nothing that its processes say or write may be used any more. */
  readonly discarded: AbortController
  /** How many of its processes were ended because of their memory. */
  limitKills: number
}

/** How often a file is read when hostile files end the processes that read it. */
const MAX_ATTEMPTS = 3

/** So many times the limit of one file an answer may take: a few files may stand in line before it. */
const QUEUE_FACTOR = 4
/** An unused exiftool ends after this long, so that a quiet server is a small one. */
const IDLE_MS = 10_000
const MEMORY_CHECK_MS = 250
/** Real files give a few kilobytes. The library searches all of an answer again for its end whenever some of it arrives. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024
/** On a line of its own, where no value of a tag can be: in JSON a line feed is escaped. */
const END_OF_ANSWER = /(?:^|\n)\{ready\}\r?\n/
const END_BYTES = Buffer.from('\n{ready}\n')

/** Names for the pictures inside RAW files. Cameras differ in which they use for the large one; some have a small one only. */
const previewTags = ['JpgFromRaw', 'PreviewImage', 'JpgFromRaw2', 'OtherImage', 'ThumbnailImage']

/**
 * Reads metadata with a few exiftool processes, which start when needed and end when not. A photo takes a tenth of a
 * second, a film rarely one; what takes a hundred times as long is asked once more, since the machine may have been busy.
 */
export function startMetadataReader({
  warn,
  log,
  program,
  timeoutMs = 10_000,
  memoryMb = 400,
  outputMb = MAX_OUTPUT_MB,
  processes = 1,
  sandbox = noSandbox,
  homeTimeZone = 'UTC',
}: ReaderOptions): MetadataReader {
  const open = (): ExiftoolPool => ({
    exchange: sandbox.openExchange(),
    exiftool: undefined,
    discarded: new AbortController(),
    limitKills: 0,
  })
  let tool = open()
  let warned = false

  async function running(used: ExiftoolPool): Promise<ExifTool> {
    used.discarded.signal.throwIfAborted()
    const { exchange } = used
    const onLimit = () => used.limitKills++
    used.exiftool ??= startExiftool({ program, timeoutMs, memoryMb, outputMb, processes, sandbox, exchange, onLimit })
    try {
      return await used.exiftool
    } catch (error) {
      used.exiftool = undefined
      if (!warned) warn('exiftool cannot run here (it needs perl): dates and places of photos will be missing.', error)
      warned = true
      throw error
    }
  }

  /** Ends every process of a tool, one of which is under the control of a hostile file, and removes what they could reach. */
  async function replace(bad: ExiftoolPool): Promise<void> {
    if (bad !== tool) return
    tool = open()
    bad.discarded.abort()
    const exiftool = await bad.exiftool?.catch(() => undefined)
    await exiftool?.end(false)
    await bad.exchange?.remove()
  }

  /**
   * Files that were read at the same time as a hostile one are read once more, by other processes. So is, once, a file
   * whose process ended by itself or timed out; not one that took too much memory, since it would do so again.
   */
  async function withFile<Answer>(
    path: string,
    act: (used: ExiftoolPool, path: string) => Promise<Answer>,
  ): Promise<Answer> {
    let retried = false
    for (let attempt = 1; ; attempt++) {
      const used = tool
      const { limitKills } = used
      try {
        const answer = await (used.exchange ? used.exchange.withInput(path, lent => act(used, lent)) : act(used, path))
        used.discarded.signal.throwIfAborted()
        return answer
      } catch (error) {
        if (error instanceof BadOutput) await replace(used)
        const ended = PROCESS_ENDED.test(String(error)) && used.limitKills === limitKills
        const timedOut = error instanceof ProcessingError && TASK_TIMEOUT.test(String(error.cause))
        if ((ended || timedOut) && !retried) {
          retried = true
          log(`exiftool ${timedOut ? 'timed out' : 'ended'} while it read a file, which is read once more.`, error)
          continue
        }
        if (error instanceof BadOutput || !used.discarded.signal.aborted || attempt === MAX_ATTEMPTS) throw error
      }
    }
  }

  function readTags(path: string, tags: string[]): Promise<Tags> {
    const readArgs = ['-fast', '-G0', '-a', ...tags.map(tag => `-${tag}`)]
    return withFile(path, (used, lent) =>
      withTimeout(used, async program => (await program.readRaw(lent, { readArgs, useMWG: false })) as Tags),
    )
  }

  /** The library limits each task, but not how long it tries to start a program that never gets ready. */
  async function withTimeout<Answer>(used: ExiftoolPool, act: (program: ExifTool) => Promise<Answer>): Promise<Answer> {
    const program = await running(used)
    used.discarded.signal.throwIfAborted()
    const given = new AbortController()
    const late = setTimeout(QUEUE_FACTOR * timeoutMs, undefined, { signal: given.signal }).then(() => {
      used.exiftool = undefined
      void program.end(false)
      throw tooSlow()
    })
    const over = new Promise<never>((_, reject) => {
      const end = () => reject(used.discarded.signal.reason)
      used.discarded.signal.addEventListener('abort', end, { signal: given.signal })
    })
    const answer = act(program).catch(cause => {
      throw TASK_TIMEOUT.test(String(cause)) ? tooSlow(cause) : cause
    })
    return Promise.race([answer, late, over]).finally(() => given.abort())
  }

  async function extractPreview(path: string, target: string) {
    const tags = await readTags(path, ['Orientation#', ...previewTags])
    const largest = largestPreview(tags)
    if (!largest) return undefined
    await withFile(path, async (used, lent) => {
      const { exchange } = used
      const written = exchange ? join(exchange.outbox, `${randomUUID()}.jpg`) : target
      try {
        // exiftool overwrites nothing, and one that ended may have left a part of it.
        await rm(written, { force: true })
        await withTimeout(used, program => program.extractBinaryTag(largest.tag, lent, written))
        await exchange?.copyOut(basename(written), target)
      } finally {
        if (exchange) await rm(written, { force: true }).catch(() => undefined)
      }
    })
    return { orientation: metadataFromTags(tags).metadata.orientation, bytes: largest.bytes }
  }

  return {
    async read(path, name = basename(path)) {
      try {
        return metadataFromTags(await readTags(path, wantedTags), { name, homeTimeZone })
      } catch (error) {
        if (!warned) log('The metadata of a file could not be read.', error)
        return noMetadata
      }
    },
    extractPreview: (path, target) =>
      extractPreview(path, target).catch(cause => {
        if (cause instanceof ProcessingError) throw cause
        throw new ProcessingError('crashed', 'The preview inside this RAW file could not be taken out.', { cause })
      }),
    async close() {
      await (await tool.exiftool)?.end()
      await tool.exchange?.remove()
    },
  }
}

/** How batch-cluster words it. */
const TASK_TIMEOUT = /timeout: waited \d+ms/
const PROCESS_ENDED =
  /Process terminated before task completed|proc\.error|stdin unexpectedly closed|std(in|out|err)\.error|EPIPE|ECONNRESET|ERR_STREAM_DESTROYED/

function tooSlow(cause?: unknown): ProcessingError {
  return new ProcessingError('time', 'Reading the metadata of this file took too long.', { cause })
}

async function startExiftool(options: ExiftoolOptions): Promise<ExifTool> {
  const { timeoutMs, memoryMb, outputMb = MAX_OUTPUT_MB, processes, sandbox, exchange } = options
  // Loaded with the first file: it costs a quiet server 15 MB.
  const { ExifTool, exiftoolPath } = await import('exiftool-vendored')
  const program = options.program ?? (await exiftoolPath())
  // Tried alone first: the library would fail to start it outside of any call, and take the server with it.
  const command = (...args: string[]): [file: string, args: string[]] => {
    const files = {
      code: [program, join(dirname(program), 'lib'), configurationFile, ...PERL],
      ...exchangeMounts(exchange),
    }
    const [file = '', ...rest] = withFileLimit(sandbox.program([program, ...configuration, ...args], files), outputMb)
    return [file, rest]
  }
  await promisify(execFile)(...command('-ver'), { timeout: timeoutMs, env: {} })
  const exiftool = new ExifTool({
    exiftoolPath: program,
    processFactory: () => {
      const child = spawn(...command('-stay_open', 'True', '-@', '-'), { env: { LANG: 'C' } })
      limitReplies(child, options.onLimit)
      return child
    },
    pass: END_OF_ANSWER,
    fail: END_OF_ANSWER,
    maxProcs: processes,
    maxIdleMsPerProcess: IDLE_MS,
    onIdleIntervalMillis: IDLE_MS / 4,
    maxTasksPerProcess: 1_000,
    spawnTimeoutMillis: timeoutMs,
    taskTimeoutMillis: timeoutMs,
    taskRetries: 0,
  })
  exiftool.on('childStart', ({ pid }) => {
    lowerPriority(pid)
    enforceLimits(pid, { memoryMb, outputMb, outbox: exchange?.outbox, onLimit: options.onLimit })
  })
  return exiftool
}

/** A program of its own: ours and no one else's. It has exiftool end with the server, however that ends. */
const configurationFile = fileURLToPath(new URL('exiftool-config.pl', import.meta.url))
const configuration = ['-config', configurationFile]

/** Perl, what finds it for a script, and its modules where they are not among the libraries. */
const PERL = [
  '/usr/bin/env',
  '/usr/bin/perl',
  '/usr/share/perl',
  '/usr/share/perl5',
  '/usr/local/share/perl',
  '/etc/perl',
]

interface EnforcedLimits {
  memoryMb: number
  outputMb: number
  outbox: string | undefined
  onLimit: () => void
}

function enforceLimits(pid: number, { memoryMb, outputMb, outbox, onLimit }: EnforcedLimits): void {
  const meter = setInterval(() => {
    const used = residentMb(pid)
    lowerPriority(pid)
    if (used === undefined) clearInterval(meter)
    else if (used > memoryMb || (outbox && folderMb(outbox) > outputMb)) {
      onLimit()
      process.kill(pid, 'SIGKILL')
    }
  }, MEMORY_CHECK_MS)
  meter.unref()
}

/** Ends a process whose answer is larger than the server, which holds it in memory, should take. */
function limitReplies(child: ChildProcessWithoutNullStreams, onLimit: () => void): void {
  let bytes = 0
  // The end of an answer may arrive by itself.
  let last = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    last = Buffer.concat([last, chunk.subarray(-END_BYTES.length)]).subarray(-END_BYTES.length)
    bytes = last.equals(END_BYTES) ? 0 : bytes + chunk.length
    if (bytes <= MAX_REPLY_BYTES) return
    onLimit()
    child.kill('SIGKILL')
  })
}

/** `(Binary data 1234567 bytes, use -b option to extract)` is how exiftool shows that there is something. */
function largestPreview(tags: Tags): { tag: string; bytes: number } | undefined {
  const found = previewTags.map(tag => {
    const value = Object.entries(tags).find(([key]) => key.endsWith(`:${tag}`))?.[1]
    return { tag, bytes: Number(/Binary data (\d+) bytes/.exec(String(value))?.[1] ?? 0) }
  })
  const [largest] = found.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes)
  return largest
}
