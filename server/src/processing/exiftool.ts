import type { ExifTool } from 'exiftool-vendored'
import { ProcessingError } from './errors.ts'
import { type FileMetadata, metadataFromTags, nothingKnown, type Tags, wantedTags } from './metadata.ts'
import { residentMb, yieldToOthers } from './watch-process.ts'

export interface MetadataReader {
  /** All that the camera wrote. Never fails: what cannot be read is not known. */
  read(path: string): Promise<FileMetadata>
  /** Writes the largest picture that a RAW file carries inside to `target`, and tells how it must be turned. */
  extractPreview(path: string, target: string): Promise<{ orientation: number | undefined }>
  close(): Promise<void>
}

export interface ReaderOptions {
  /** Told when exiftool cannot run at all (once), and when a file was too much for it. */
  warn(sentence: string, cause: unknown): void
  timeoutMs?: number
  memoryMb?: number
}

/** An unused exiftool ends after this long, so that a quiet server is a small one. */
const IDLE_MS = 10_000
const MEMORY_CHECK_MS = 250

/** Names for the pictures inside RAW files. Cameras differ in which they use for the large one. */
const previewTags = ['JpgFromRaw', 'PreviewImage', 'JpgFromRaw2', 'OtherImage']

/** Reads metadata with one exiftool process, which starts when needed and ends when not. */
export function startMetadataReader({ warn, timeoutMs = 30_000, memoryMb = 400 }: ReaderOptions): MetadataReader {
  let exiftool: Promise<ExifTool> | undefined
  let warned = false

  async function ask(path: string, args: string[]): Promise<Tags> {
    exiftool ??= startExiftool({ timeoutMs, memoryMb })
    const tags = await (await exiftool).readRaw(path, { readArgs: ['-fast', '-G0', '-a', ...args], useMWG: false })
    return tags as Tags
  }

  async function explain(error: unknown): Promise<void> {
    const runs = await exiftool?.then(program => program.version()).catch(() => undefined)
    if (runs) return warn('The metadata of a file could not be read.', error)
    if (!warned) warn('exiftool cannot run here (it needs perl): dates and places of photos will be missing.', error)
    warned = true
  }

  return {
    async read(path) {
      try {
        return metadataFromTags(
          await ask(
            path,
            wantedTags.map(tag => `-${tag}`),
          ),
        )
      } catch (error) {
        await explain(error)
        return nothingKnown
      }
    },
    async extractPreview(path, target) {
      try {
        const tags = await ask(
          path,
          ['Orientation#', ...previewTags].map(tag => `-${tag}`),
        )
        const tag = largestPreview(tags)
        if (!tag) throw new ProcessingError('unreadable', 'This RAW file has no preview inside that could be shown.')
        await (await exiftool)?.extractBinaryTag(tag, path, target)
        return { orientation: metadataFromTags(tags).metadata.orientation }
      } catch (error) {
        if (error instanceof ProcessingError) throw error
        await explain(error)
        throw new ProcessingError('crashed', 'The preview inside this RAW file could not be taken out.', {
          cause: error,
        })
      }
    },
    async close() {
      await (await exiftool)?.end()
    },
  }
}

async function startExiftool(limits: { timeoutMs: number; memoryMb: number }): Promise<ExifTool> {
  // Loaded with the first file: it costs a quiet server 15 MB.
  const { ExifTool } = await import('exiftool-vendored')
  const exiftool = new ExifTool({
    // No configuration file: it would be a program.
    exiftoolArgs: ['-config', '', '-stay_open', 'True', '-@', '-'],
    ignoreShebang: true,
    maxProcs: 1,
    maxIdleMsPerProcess: IDLE_MS,
    onIdleIntervalMillis: IDLE_MS / 4,
    maxTasksPerProcess: 1_000,
    taskTimeoutMillis: limits.timeoutMs,
    taskRetries: 0,
  })
  exiftool.on('childStart', ({ pid }) => {
    yieldToOthers(pid)
    const meter = setInterval(() => {
      const used = residentMb(pid)
      if (used === undefined) clearInterval(meter)
      else if (used > limits.memoryMb) process.kill(pid, 'SIGKILL')
    }, MEMORY_CHECK_MS)
    meter.unref()
  })
  return exiftool
}

/** `(Binary data 1234567 bytes, use -b option to extract)` is how exiftool shows that there is something. */
function largestPreview(tags: Tags): string | undefined {
  const found = previewTags.map(tag => {
    const value = Object.entries(tags).find(([key]) => key.endsWith(`:${tag}`))?.[1]
    return { tag, bytes: Number(/Binary data (\d+) bytes/.exec(String(value))?.[1] ?? 0) }
  })
  const [largest] = found.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes)
  return largest?.tag
}
