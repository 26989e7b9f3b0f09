import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ExifTool } from 'exiftool-vendored'
import {
  folderMb,
  killTree,
  lowerPriority,
  MAX_OUTPUT_MB,
  OWN_GROUP,
  type ProcessLimits,
  residentMb,
  withFileLimit,
} from './child-process.ts'
import type { Tags } from './dates/date-from-tags.ts'
import { ProcessingError } from './errors.ts'
import { type ExtractedMetadata, metadataFromTags, noMetadata, wantedTags } from './metadata.ts'
import { BadOutput, type Exchange } from './sandbox/exchange.ts'
import { exchangeMounts, noSandbox, type Sandbox } from './sandbox/sandbox.ts'

export interface MetadataReader {
  /** The metadata of a file, whose original name is `name`. Never fails: unreadable metadata is empty. */
  read(path: string, name?: string | undefined): Promise<ExtractedMetadata>
  /** Writes the largest preview inside a RAW file to `target`. Undefined if there is none. */
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
  /** Called for failures of single files. */
  log(sentence: string, cause: unknown): void
  /** Default: the exiftool that npm installed. */
  program?: string
  timeoutMs?: number
  memoryMb?: number
  /** Limit for the output, which is the preview inside a RAW file. */
  outputMb?: number
  /** How many files are read at the same time. */
  processes?: number
  sandbox?: Sandbox
  /** Time zone for dates in UTC when no other is known. */
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
  /** Shared by all exiftool processes, since the library starts and stops them by itself. */
  readonly exchange: Exchange | undefined
  exiftool: Promise<ExifTool> | undefined
  /** Aborted when no output of its processes may be trusted any more. */
  readonly discarded: AbortController
  /** How many of its processes were killed because of their memory. */
  limitKills: number
}

/** Attempts for a file when hostile files crash the processes that read it. */
const MAX_ATTEMPTS = 3

/** A reply may take this many times the limit of one file, since others may be queued before it. */
const QUEUE_FACTOR = 4
/** Idle exiftool processes end after this time, to save memory. */
const IDLE_MS = 10_000
const MEMORY_CHECK_MS = 250
/** Real files give a few kilobytes. The library rescans the whole reply whenever more of it arrives. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024
/** On a separate line, where no tag value can be: JSON escapes line feeds. */
const END_OF_ANSWER = /(?:^|\n)\{ready\}\r?\n/
const END_BYTES = Buffer.from('\n{ready}\n')

/** Tags with previews inside RAW files. Cameras differ in which one is the largest. */
const previewTags = ['JpgFromRaw', 'PreviewImage', 'JpgFromRaw2', 'OtherImage', 'ThumbnailImage']

/**
 * Reads metadata with a pool of exiftool processes, which are started when needed. A photo takes 0.1 seconds, a video
 * rarely one. A timeout is retried once, since the machine may have been busy.
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

  /** Kills all processes of a pool in which a hostile file has taken over one, and removes the files they could reach. */
  async function replace(bad: ExiftoolPool): Promise<void> {
    if (bad !== tool) return
    tool = open()
    bad.discarded.abort()
    const exiftool = await bad.exiftool?.catch(() => undefined)
    await exiftool?.end(false)
    await bad.exchange?.remove()
  }

  /**
   * Retries files that were read at the same time as a hostile one, and once a file whose process crashed or timed out.
   * A file that exceeded the memory limit is not retried.
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

  /** The library limits the time of each task, but not of starting a program. */
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
        // exiftool never overwrites, and a crashed one may have left a partial file.
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

/** Error messages of batch-cluster. */
const TASK_TIMEOUT = /timeout: waited \d+ms/
const PROCESS_ENDED =
  /Process terminated before task completed|proc\.error|stdin unexpectedly closed|std(in|out|err)\.error|EPIPE|ECONNRESET|ERR_STREAM_DESTROYED/

function tooSlow(cause?: unknown): ProcessingError {
  return new ProcessingError('time', 'Reading the metadata of this file took too long.', { cause })
}

async function startExiftool(options: ExiftoolOptions): Promise<ExifTool> {
  const { timeoutMs, memoryMb, outputMb = MAX_OUTPUT_MB, processes, sandbox, exchange } = options
  // Loaded when first needed, since it takes 15 MB.
  const { ExifTool, exiftoolPath } = await import('exiftool-vendored')
  const program = options.program ?? (await exiftoolPath())
  // Tested first: if the program cannot start, the library throws outside of any call and crashes the server.
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
      const child = spawn(...command('-stay_open', 'True', '-@', '-'), { env: { LANG: 'C' }, ...OWN_GROUP })
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
    lowerPriority(pid, PRIORITY)
    enforceLimits(pid, { memoryMb, outputMb, outbox: exchange?.outbox, onLimit: options.onLimit })
  })
  return exiftool
}

/** Makes exiftool exit with the server and limits the depth of XMP. */
const configurationFile = fileURLToPath(new URL('exiftool-config.pl', import.meta.url))
const configuration = ['-config', configurationFile]

/** Perl, `env` (for the script's first line) and Perl modules outside of the library folders. */
const PERL = [
  '/usr/bin/env',
  '/usr/bin/perl',
  '/usr/share/perl',
  '/usr/share/perl5',
  '/usr/local/share/perl',
  '/etc/perl',
]

/** Above the decoders: it needs little CPU, and its time limits count the time without one. */
const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

interface EnforcedLimits {
  memoryMb: number
  outputMb: number
  outbox: string | undefined
  onLimit: () => void
}

function enforceLimits(pid: number, { memoryMb, outputMb, outbox, onLimit }: EnforcedLimits): void {
  const meter = setInterval(() => {
    const used = residentMb(pid)
    lowerPriority(pid, PRIORITY)
    if (used === undefined) clearInterval(meter)
    else if (used > memoryMb || (outbox && folderMb(outbox) > outputMb)) {
      onLimit()
      killTree(pid)
    }
  }, MEMORY_CHECK_MS)
  meter.unref()
}

/** Kills a process whose reply is too large, since the server holds it in memory. */
function limitReplies(child: ChildProcessWithoutNullStreams, onLimit: () => void): void {
  let bytes = 0
  // The end marker may arrive in a separate chunk.
  let last = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    last = Buffer.concat([last, chunk.subarray(-END_BYTES.length)]).subarray(-END_BYTES.length)
    bytes = last.equals(END_BYTES) ? 0 : bytes + chunk.length
    if (bytes <= MAX_REPLY_BYTES) return
    onLimit()
    if (child.pid !== undefined) killTree(child.pid)
  })
}

/** exiftool shows binary tags as `(Binary data 1234567 bytes, use -b option to extract)`. */
function largestPreview(tags: Tags): { tag: string; bytes: number } | undefined {
  const found = previewTags.map(tag => {
    const value = Object.entries(tags).find(([key]) => key.endsWith(`:${tag}`))?.[1]
    return { tag, bytes: Number(/Binary data (\d+) bytes/.exec(String(value))?.[1] ?? 0) }
  })
  const [largest] = found.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes)
  return largest
}
