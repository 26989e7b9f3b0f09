import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bounds } from '#contract/bounds.ts'
import { variants } from '#contract/limits.ts'
import type { Rotation } from '#contract/media.ts'
import type { FoundPlace, Town } from '#contract/places.ts'
import { ANIMATION_NAME, type AnimationRequest, type MadeAnimation } from './animation.ts'
import { detectFormat } from './detect-format.ts'
import { cancelled, ProcessingError, unsupported } from './errors.ts'
import { type MetadataReader, startMetadataReader } from './exiftool.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import { formats, type ImageFormat, isRaw } from './formats.ts'
import {
  parseAnimation,
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
import type { ClientVariant, MadeImage, VariantCheck } from './images/variants.ts'

import { type ExtractedMetadata, noMetadata } from './metadata.ts'
import type { PlacesTasks } from './places-worker.ts'
import { openRawRenderer } from './raw/render-raw.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { canEmbedClip } from './structure/embedded-clip.ts'
import type { ByteRange } from './structure/file-window.ts'
import { hasFrames, hasInspection } from './structure/inspect.ts'
import { type RunOptions, startWorkerPool, type TaskOptions } from './worker-pool.ts'

interface VariantOrder {
  path: string
  format: ImageFormat
  outDir: string
  /** Clockwise, after the picture is made upright. */
  rotation?: Rotation | undefined
}

/** Everything that decodes files. It runs in separate processes with limits on time and memory. */
export interface Processing {
  /**
   * Makes the four variants in `outDir`, and `full` where browsers cannot show the original. On failure it leaves
   * nothing there and rejects with a ProcessingError.
   */
  makeVariants(order: VariantOrder, options?: RunOptions): Promise<MadeImage>
  /** The size of a photo, upright. Like `checkVariant` it uses separate decoders, since a request waits for it. */
  measure(
    file: { path: string; format: ImageFormat },
    options?: RunOptions,
  ): Promise<{ width: number; height: number; hdr: boolean }>
  /** Whether a picture made by a client can be used as a variant. */
  checkVariant(claim: ClientVariant, options?: RunOptions): Promise<VariantCheck>
  /**
   * Makes an animated WebP, `animation.webp` in `outDir`, of a picture that browsers do not show. Undefined if it has
   * only one frame.
   */
  makeAnimation(order: AnimationRequest, options?: RunOptions): Promise<MadeAnimation | undefined>
  isAnimated(file: { path: string; format: ImageFormat }, options?: RunOptions): Promise<boolean>
  /** Whether part of a picture is lost. False for formats whose decoders reject damaged pictures. */
  isPartlyDamaged(file: { path: string; format: ImageFormat }, options?: RunOptions): Promise<boolean>
  /** Rejects only when cancelled: unreadable metadata is empty. */
  readMetadata(path: string, options?: ReadOptions): Promise<ExtractedMetadata>
  /** Where a motion photo contains its clip; undefined if it has none. */
  findEmbeddedClip(photo: { path: string; format: ImageFormat }, options?: RunOptions): Promise<ByteRange | undefined>
  /** "Ronda, Spain"; undefined on the high seas. */
  placeName(latitude: number, longitude: number): Promise<string | undefined>
  /** The towns and villages to label on a map, most people first. */
  townsWithin(bounds: Bounds): Promise<Town[]>
  /** Towns and villages whose names begin with these letters, most people first. */
  searchPlaces(name: string): Promise<FoundPlace[]>
  /** Whether RAW files without an embedded JPEG can be shown. */
  rendersRaw(): Promise<boolean>
  close(): Promise<void>
}

export interface ReadOptions extends RunOptions {
  /** The original name, from which the time zone of a video may be derived. Default: from the path. */
  readonly name?: string | undefined
  /** A request waits for it: uses the separate processes and short timeouts for checks. */
  readonly forRequest?: boolean
}

export interface ProcessingOptions {
  /** How many photos of one person are decoded in parallel. */
  readonly decoders: number
  /** How many decoders and RAW renderers may use more than `ordinaryMb` at the same time. */
  readonly largeDecoders?: number
  readonly ordinaryMb?: number
  readonly memoryMb?: number
  readonly timeoutMs?: number
  /** For checks that a request waits for. */
  readonly checkTimeoutMs?: number
  readonly sandbox: Sandbox
  /** The PATH variable, for finding the RAW renderer. */
  readonly searchPath?: string | undefined
  /** Time zone for dates in UTC when no other is known. */
  readonly homeTimeZone?: string
  /** For problems that admins should know and can fix. */
  warn(sentence: string, cause: unknown): void
  /** For failures of single files. Not shown to admins, since any member can upload such a file. */
  log(sentence: string, cause: unknown): void
}

/**
 * For checks that an upload waits for. A variant takes 50 ms, 100 megapixels half a second, and starting a process one
 * second; a small computer needs five times as long. What takes longer is left to the job.
 */
const CHECK_TIMEOUT_MS = 10_000
/** One more than a single person may use, so that slow files do not block others. */
const METADATA_PROCESSES = 3
/**
 * Reading takes 0.1 seconds of CPU time. On a busy machine exiftool may wait long for a CPU, and a photo whose metadata
 * is given up loses its date.
 */
const METADATA_TIMEOUT_MS = 60_000

/** A smaller preview does not fill a screen; then the RAW data is rendered if possible. */
const SMALL_PREVIEW_BYTES = 50_000
/** Formats whose decoders show the readable part of a damaged picture. Others decode all or nothing. */
const partlyDecodable = new Set<ImageFormat>(['jpeg', 'png', 'tiff'])
/** Enough for photos of cameras and phones. Only a few larger pictures are decoded at a time. */
const ORDINARY_MB = 600
/** One more than a single person may use. */
const LARGE_DECODERS = 2

/** For RAW files whose upload waits. One more than a single person may use. */
const CHECK_READERS = 2

/**
 * Generous, since the input is not hostile: only a busy machine is slow. Not at the low priority of decoders, and kept
 * for a while, because people wait for the names on a map.
 */
const PLACES_LIMITS = {
  memoryMb: 400,
  timeoutMs: 600_000,
  priority: constants.priority.PRIORITY_NORMAL,
  idleMs: 120_000,
  tasksPerProcess: 10_000,
}

export function startProcessing(options: ProcessingOptions): Processing {
  const { decoders, memoryMb = 1_500, timeoutMs = 120_000, checkTimeoutMs = CHECK_TIMEOUT_MS, sandbox } = options
  const { warn, log, homeTimeZone = 'UTC', largeDecoders = LARGE_DECODERS, ordinaryMb = ORDINARY_MB } = options
  const decoderProgram = new URL('./images/decoder-worker.ts', import.meta.url)
  const placesProgram = new URL('./places-worker.ts', import.meta.url)
  // One more than a single person may use, so that files that take minutes do not block others.
  const pool = startWorkerPool<DecoderTasks>(decoderProgram, {
    size: decoders + 1,
    sizePerOwner: decoders,
    memoryMb,
    timeoutMs,
    sandbox,
  })
  // Fewer, since variants made by clients are small.
  const checksPerOwner = Math.max(1, Math.floor(decoders / 2))
  const checks = startWorkerPool<DecoderTasks>(decoderProgram, {
    size: checksPerOwner + 1,
    sizePerOwner: checksPerOwner,
    memoryMb,
    timeoutMs: checkTimeoutMs,
    sandbox,
  })
  const places = startWorkerPool<PlacesTasks>(placesProgram, { size: 1, ...PLACES_LIMITS, sandbox })
  const reading = { warn, log, timeoutMs: METADATA_TIMEOUT_MS, processes: METADATA_PROCESSES, sandbox, homeTimeZone }
  const checking = { ...reading, timeoutMs: checkTimeoutMs, processes: CHECK_READERS }
  const reader = startMetadataReader(reading)
  const checkReader = startMetadataReader(checking)
  const renderer = openRawRenderer({ searchPath: options.searchPath, sandbox, log, memoryMb, timeoutMs })
  const readerSlots = createFairSemaphore({ size: METADATA_PROCESSES, sizePerOwner: METADATA_PROCESSES - 1 })
  const largeSlots = createFairSemaphore({ size: largeDecoders, sizePerOwner: Math.max(1, largeDecoders - 1) })
  const checkSlots = createFairSemaphore({ size: CHECK_READERS, sizePerOwner: CHECK_READERS - 1 })

  /** Runs `act` with the preview or rendering of a RAW file, or with the file itself for other formats. */
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

  const readers = {
    jobs: { shared: reader, options: reading, slots: readerSlots },
    requests: { shared: checkReader, options: checking, slots: checkSlots },
  }

  /** exiftool continues after an upload is cancelled, so the slot is released only when exiftool is done. */
  async function withReader<Result>(
    { shared, options, slots }: (typeof readers)[keyof typeof readers],
    run: RunOptions,
    act: (reader: MetadataReader) => Promise<Result>,
  ): Promise<Result> {
    const release = await slots.acquire(run.ownerId, run.signal)
    try {
      if (!run.ownProcess) return await act(shared)
      const own = startMetadataReader({ ...options, processes: 1 })
      return await act(own).finally(() => own.close())
    } finally {
      release()
    }
  }

  function previewExtractor(kind: keyof typeof readers, run: RunOptions = {}): MetadataReader['extractPreview'] {
    return (path, target) => withReader(readers[kind], run, from => from.extractPreview(path, target))
  }

  /** LibRaw needs as much memory as decoding a large picture. */
  async function renderRaw(path: string, target: string, run: RunOptions = {}) {
    const release = await largeSlots.acquire(run.ownerId, run.signal)
    return renderer.render(path, target, run.signal).finally(release)
  }

  /**
   * The memory that a picture needs is not known in advance. Each is first decoded with the default limit; the few that
   * exceed it are decoded again with a higher limit, `largeDecoders` at a time.
   */
  async function withinMemory<Reply>(run: RunOptions = {}, decode: (run: TaskOptions) => Promise<Reply>) {
    try {
      return await decode({ ...run, memoryMb: Math.min(ordinaryMb, memoryMb) })
    } catch (error) {
      if (!(error instanceof ProcessingError) || error.failure !== 'memory' || ordinaryMb >= memoryMb) throw error
    }
    const release = await largeSlots.acquire(run.ownerId, run.signal)
    return decode(run).finally(release)
  }

  /** A reason when the metadata must not be read. Inspected in a decoder process, since the file may be hostile. */
  async function whyMetadataIsSkipped(
    path: string,
    decoder: typeof pool,
    run: RunOptions,
  ): Promise<string | undefined> {
    // If the file cannot be opened, the reader reports that.
    const recognised = await detectFormat(path).catch(() => undefined)
    if (!recognised || !hasInspection(recognised.format)) return undefined
    try {
      return parseInspection(await decoder.run('inspectMetadata', { path, format: recognised.format }, run)).metadata
    } catch (error) {
      if (!(error instanceof ProcessingError) || error.failure === 'cancelled') throw error
      if (error.failure === 'time') return error.message
      // A problem of the machine rather than of the file. exiftool has its own limits.
      log('The structure of a file could not be inspected.', error)
      return undefined
    }
  }

  return {
    async makeVariants({ path, format, outDir, rotation }, run) {
      const full = !formats[format].browserShows
      try {
        await mkdir(outDir, { recursive: true })
        const reply = await withPicture(
          { path, format },
          outDir,
          previewExtractor('jobs', run),
          file => withinMemory(run, limited => pool.run('makeVariants', { ...file, rotation, outDir, full }, limited)),
          (raw, target) => renderRaw(raw, target, run),
        )
        return await parseVariants(outDir, reply)
      } catch (error) {
        await removeVariants(outDir)
        throw error
      }
    },
    async measure(file, run) {
      const extract = previewExtractor('requests', run)
      const reply = withPicture(file, tmpdir(), extract, picture => checks.run('measureSource', picture, run))
      const { size, hdr } = parseFacts(await rejectOnAbort(reply, run?.signal))
      return { ...size, hdr }
    },
    checkVariant: async (claim, run) => parseVariantCheck(await checks.run('checkVariant', claim, run)),
    async makeAnimation(order, run) {
      const reply = await withinMemory(run, limited => pool.run('makeAnimation', order, limited))
      return parseAnimation(join(order.outDir, ANIMATION_NAME), reply)
    },
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
        return withReader(readers[forRequest ? 'requests' : 'jobs'], run, from => from.read(path, name))
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
    townsWithin: bounds => places.run('townsWithin', bounds),
    searchPlaces: name => places.run('searchPlaces', name),
    async close() {
      await Promise.all([pool.close(), checks.close(), places.close(), reader.close(), checkReader.close()])
    },
  }
}

async function withFallback<Result>(first: () => Promise<Result>, second: () => Promise<Result>): Promise<Result> {
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof ProcessingError) || error.failure === 'cancelled') throw error
    return await second().catch(last => {
      // Keep the error that allows a retry.
      throw error.isRetryable ? error : last
    })
  }
}

/** exiftool cannot be interrupted for a single file; its own timeout ends it. */
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

/** A killed process leaves the variants that it had finished. */
async function removeVariants(folder: string): Promise<void> {
  const names = Object.keys(variants).flatMap(name => [`${name}.jpg`, `${name}.png`])
  await Promise.all(names.map(name => rm(join(folder, name), { force: true })))
}
