import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { variants } from '#contract/limits.ts'
import { ProcessingError, unsupported } from './errors.ts'
import { type MetadataReader, startMetadataReader } from './exiftool.ts'
import { formats, type ImageFormat, isRaw } from './formats.ts'
import type { ClientVariant, VariantCheck } from './images/check-variant.ts'
import {
  parseClip,
  parseDamage,
  parseFacts,
  parseFrameCount,
  parseInspection,
  parseVariantCheck,
  parseVariants,
} from './images/decoder-replies.ts'
import type { DecoderTasks } from './images/decoder-worker.ts'
import type { SourceFile } from './images/source.ts'
import type { MadeImage } from './images/variants.ts'
import { type ExtractedMetadata, noMetadata } from './metadata.ts'
import { createFairSemaphore, type FairSemaphore } from './owner-turns.ts'
import type { PlacesTasks } from './places-worker.ts'
import { openRawRenderer } from './raw/render-raw.ts'
import { detectFormat } from './recognise.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { canEmbedClip } from './structure/embedded-clip.ts'
import type { ByteRange } from './structure/file-window.ts'
import { hasFrames, hasInspection } from './structure/inspect.ts'
import { type RunOptions, startWorkerPool } from './worker-pool.ts'
import { cancelled } from './worker-process.ts'

/** What can be made of a photo. Everything that reads a file's pixels runs in a process of its own, within limits. */
export interface Processing {
  /**
   * Makes the four variants in `outDir`, and `full` where browsers cannot show the original. On failure it leaves
   * nothing there and rejects with a ProcessingError.
   */
  makeVariants(order: { path: string; format: ImageFormat; outDir: string }, options?: RunOptions): Promise<MadeImage>
  /** The size of a photo as it is seen, upright. Like `checkVariant` for answers that a person waits for: it has decoders of its own. */
  measure(
    file: { path: string; format: ImageFormat },
    options?: RunOptions,
  ): Promise<{ width: number; height: number; hdr: boolean }>
  /** Whether what a client sent can stand as a variant. */
  checkVariant(claim: ClientVariant, options?: RunOptions): Promise<VariantCheck>
  /** Whether a picture moves. */
  isAnimated(file: { path: string; format: ImageFormat }, options?: RunOptions): Promise<boolean>
  /** Whether part of a picture is lost; false also for formats whose decoders show a damaged picture not at all. */
  isPartlyDamaged(file: { path: string; format: ImageFormat }, options?: RunOptions): Promise<boolean>
  /** What the camera wrote into a photo or video. Rejects only when cancelled: what cannot be read is not known. */
  readMetadata(path: string, options?: ReadOptions): Promise<ExtractedMetadata>
  /** Where a motion photo holds its clip; undefined where it holds none. */
  findEmbeddedClip(photo: { path: string; format: ImageFormat }, options?: RunOptions): Promise<ByteRange | undefined>
  /** "Ronda, Spain"; undefined on the high seas. */
  placeName(latitude: number, longitude: number): Promise<string | undefined>
  /** Whether RAW files without a JPEG inside can be shown here. */
  rendersRaw(): Promise<boolean>
  close(): Promise<void>
}

export interface ReadOptions extends RunOptions {
  /** What people call the file: it may tell the time zone of a video. Absent: the name at the end of the path. */
  readonly name?: string | undefined
  /** A request waits for it: then it has the processes and the short limits of such checks. */
  readonly forRequest?: boolean
}

export interface ProcessingOptions {
  /** How many photos of one person are decoded at the same time. */
  readonly decoders: number
  /** How many of them, and of RAW files that are developed, may need more than `ordinaryMb` at the same time. */
  readonly largeDecoders?: number
  readonly ordinaryMb?: number
  readonly memoryMb?: number
  readonly timeoutMs?: number
  /** For what a request waits for. */
  readonly checkTimeoutMs?: number
  readonly sandbox: Sandbox
  /** The PATH variable, where the program for RAW files is looked for. */
  readonly searchPath?: string | undefined
  /** For dates in UTC, where nothing else tells the zone. */
  readonly homeTimeZone?: string
  /** For what the people who run the server have to know and can change. */
  warn(sentence: string, cause: unknown): void
  /** For what concerns one file. Any member can upload such a file, so admins are not warned of it. */
  log(sentence: string, cause: unknown): void
}

/**
 * For checks that an upload waits for. A variant takes 50 ms, a full-size picture of 100 megapixels half a second, and a
 * process a second to start; a small computer needs five times as long. What takes longer is left to a job.
 */
const CHECK_TIMEOUT_MS = 10_000
/** One more than a single person may use: files that take their whole time keep nobody else waiting. */
const METADATA_PROCESSES = 3

/** A preview of fewer bytes is smaller than a screen; the sensor's own picture is shown instead where it can be. */
const SMALL_PREVIEW_BYTES = 50_000
/** What decoders show as far as it can be read. Of the others there is the whole picture or none. */
const partlyDecodable = new Set<ImageFormat>(['jpeg', 'png', 'tiff'])
/** Enough for any photo of a camera or phone; a picture that needs more waits until few others do. */
const ORDINARY_MB = 600
/** One more than a single person may use. */
const LARGE_DECODERS = 2

/** For RAW files whose upload waits. One more than a single person may use. */
const CHECK_READERS = 2

/** Two numbers are no hostile input: only a busy machine takes long, and its photos must not fail for that. */
const PLACES_LIMITS = { memoryMb: 400, timeoutMs: 600_000 }

export function startProcessing(options: ProcessingOptions): Processing {
  const { decoders, memoryMb = 1_500, timeoutMs = 120_000, checkTimeoutMs = CHECK_TIMEOUT_MS, sandbox } = options
  const { warn, log, homeTimeZone = 'UTC', largeDecoders = LARGE_DECODERS, ordinaryMb = ORDINARY_MB } = options
  const decoderProgram = new URL('./images/decoder-worker.ts', import.meta.url)
  const placesProgram = new URL('./places-worker.ts', import.meta.url)
  // One more than a single person may use, so that files which take minutes keep nobody else waiting.
  const pool = startWorkerPool<DecoderTasks>(decoderProgram, {
    size: decoders + 1,
    sizePerOwner: decoders,
    memoryMb,
    timeoutMs,
    sandbox,
  })
  // What clients made is small, and one check takes little of the time of an upload.
  const checksPerOwner = Math.max(1, Math.floor(decoders / 2))
  const checks = startWorkerPool<DecoderTasks>(decoderProgram, {
    size: checksPerOwner + 1,
    sizePerOwner: checksPerOwner,
    memoryMb,
    timeoutMs: checkTimeoutMs,
    sandbox,
  })
  const places = startWorkerPool<PlacesTasks>(placesProgram, { size: 1, ...PLACES_LIMITS, sandbox })
  const reader = startMetadataReader({ warn, log, processes: METADATA_PROCESSES, sandbox, homeTimeZone })
  const checkReader = startMetadataReader({
    ...{ warn, log, timeoutMs: checkTimeoutMs, processes: CHECK_READERS },
    ...{ sandbox, homeTimeZone },
  })
  const renderer = openRawRenderer({ searchPath: options.searchPath, sandbox, log, memoryMb, timeoutMs })
  const readerTurns = createFairSemaphore({ size: METADATA_PROCESSES, sizePerOwner: METADATA_PROCESSES - 1 })
  const largeTurns = createFairSemaphore({ size: largeDecoders, sizePerOwner: Math.max(1, largeDecoders - 1) })
  const checkTurns = createFairSemaphore({ size: CHECK_READERS, sizePerOwner: CHECK_READERS - 1 })

  /** Of a RAW file the picture inside stands for the whole; any other file is taken as it is. */
  async function withPicture<Result>(
    { path, format }: { path: string; format: ImageFormat },
    folder: string,
    extractPreview: MetadataReader['extractPreview'],
    act: (file: SourceFile) => Promise<Result>,
    render?: (path: string, target: string) => Promise<void>,
  ): Promise<Result> {
    if (!isRaw(format)) return act({ path, format })
    const scratch = await mkdtemp(join(folder, 'preview-'))
    const target = join(scratch, 'preview.jpg')
    const rendered = join(scratch, 'rendered.tif')
    try {
      const preview = await extractPreview(path, target)
      const showPreview = () => act({ path: target, format: 'jpeg', orientation: preview?.orientation })
      if (!render && !preview) throw unsupported()
      if (!render) return await showPreview()
      const showRendered = () => render(path, rendered).then(() => act({ path: rendered, format: 'tiff' }))
      if (!preview) return await showRendered()
      if (preview.bytes >= SMALL_PREVIEW_BYTES) return await withFallback(showPreview, showRendered)
      return await withFallback(showRendered, showPreview)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }

  /** exiftool goes on with a file whose upload was cancelled, so the turn ends with exiftool rather than with the upload. */
  function previewExtractor(
    turns: FairSemaphore,
    from: MetadataReader,
    run: RunOptions = {},
  ): typeof from.extractPreview {
    return async (path, target) => {
      const giveBack = await turns.acquire(run.ownerId, run.signal)
      return from.extractPreview(path, target).finally(giveBack)
    }
  }

  /** LibRaw takes as much memory as a large picture. */
  async function renderRaw(path: string, target: string, run: RunOptions = {}) {
    const giveBack = await largeTurns.acquire(run.ownerId, run.signal)
    return renderer.render(path, target, run.signal).finally(giveBack)
  }

  /**
   * How much memory a picture takes is known when it has been decoded. So each is given what nearly all of them need; the
   * few that need more are decoded again, only so many at a time as the machine has room for.
   */
  async function makeVariantsWithinMemory(order: Parameters<DecoderTasks['makeVariants']>[0], run: RunOptions = {}) {
    try {
      return await pool.run('makeVariants', order, { ...run, memoryMb: Math.min(ordinaryMb, memoryMb) })
    } catch (error) {
      if (!(error instanceof ProcessingError) || error.failure !== 'memory' || ordinaryMb >= memoryMb) throw error
    }
    const giveBack = await largeTurns.acquire(run.ownerId, run.signal)
    return pool.run('makeVariants', order, run).finally(giveBack)
  }

  /** Why the metadata of this file is not read, if it is not. Looked for in a decoder process: the file may be hostile. */
  async function whyMetadataIsSkipped(
    path: string,
    decoder: typeof pool,
    run: RunOptions,
  ): Promise<string | undefined> {
    // A file that cannot be opened: the reader finds out for itself, and says so.
    const recognised = await detectFormat(path).catch(() => undefined)
    if (!recognised || !hasInspection(recognised.format)) return undefined
    try {
      return parseInspection(await decoder.run('inspectMetadata', { path, format: recognised.format }, run)).metadata
    } catch (error) {
      if (!(error instanceof ProcessingError) || error.failure === 'cancelled') throw error
      if (error.failure === 'time') return error.message
      // The trouble is this machine's rather than the file's. exiftool has limits of its own.
      log('The structure of a file could not be inspected.', error)
      return undefined
    }
  }

  return {
    async makeVariants({ path, format, outDir }, run) {
      const full = !formats[format].browserShows
      try {
        await mkdir(outDir, { recursive: true })
        const reply = await withPicture(
          { path, format },
          outDir,
          previewExtractor(readerTurns, reader, run),
          file => makeVariantsWithinMemory({ ...file, outDir, full }, run),
          (raw, target) => renderRaw(raw, target, run),
        )
        return await parseVariants(outDir, reply)
      } catch (error) {
        await removeVariants(outDir)
        throw error
      }
    },
    async measure(file, run) {
      const extract = previewExtractor(checkTurns, checkReader, run)
      const reply = withPicture(file, tmpdir(), extract, picture => checks.run('measureSource', picture, run))
      const { size, hdr } = parseFacts(await rejectOnAbort(reply, run?.signal))
      return { ...size, hdr }
    },
    checkVariant: async (claim, run) => parseVariantCheck(await checks.run('checkVariant', claim, run)),
    async isAnimated(file, run) {
      return hasFrames(file.format) && parseFrameCount(await pool.run('countFrames', file, run)) > 1
    },
    async isPartlyDamaged(file, run) {
      if (!partlyDecodable.has(file.format)) return false
      return parseDamage(await pool.run('isPartlyDamaged', file, { ...run, memoryMb: Math.min(ordinaryMb, memoryMb) }))
    },
    async readMetadata(path, { name, forRequest = false, ...run } = {}) {
      const excess = await whyMetadataIsSkipped(path, forRequest ? checks : pool, run)
      if (excess === undefined) {
        const giveBack = await (forRequest ? checkTurns : readerTurns).acquire(run.ownerId, run.signal)
        return (forRequest ? checkReader : reader).read(path, name).finally(giveBack)
      }
      log('The metadata of a file is not read.', new Error(excess))
      return noMetadata
    },
    async findEmbeddedClip({ path, format }, run) {
      if (!canEmbedClip(format)) return undefined
      const { size } = await stat(path)
      return parseClip(await pool.run('findEmbeddedClip', { path, format }, run), size)
    },
    rendersRaw: renderer.isInstalled,
    placeName: (latitude, longitude) => places.run('placeName', { latitude, longitude }),
    async close() {
      await Promise.all([pool.close(), checks.close(), places.close(), reader.close(), checkReader.close()])
    },
  }
}

/** The second way of showing a file where the first does not work for it. */
async function withFallback<Result>(first: () => Promise<Result>, second: () => Promise<Result>): Promise<Result> {
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof ProcessingError) || error.failure === 'cancelled') throw error
    return await second().catch(last => {
      // If the first way may work at another attempt, the file is not given up.
      throw error.isRetryable ? error : last
    })
  }
}

/** exiftool cannot be interrupted for one file; its own limit ends it. */
async function rejectOnAbort<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work
  const over = new AbortController()
  const aborted = once(signal, 'abort', { signal: over.signal }).then(() => Promise.reject(cancelled()))
  try {
    return await Promise.race([work, aborted])
  } finally {
    over.abort()
    aborted.catch(() => undefined)
    work.catch(() => undefined)
  }
}

/** A process that was stopped leaves what it had made so far. */
async function removeVariants(folder: string): Promise<void> {
  const names = Object.keys(variants).flatMap(name => [`${name}.jpg`, `${name}.png`])
  await Promise.all(names.map(name => rm(join(folder, name), { force: true })))
}
