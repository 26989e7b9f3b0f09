import {
  type FallbackRequest,
  isUnreadable,
  type NotConverted,
  PreparationError,
  type PreparedVideo,
  type ProgressOptions,
  type VideoRequest,
  type VideoResult,
  whyNotPrepared,
} from '../prepare.ts'
import { texts } from '../texts.ts'
import { TaskFailure, WorkerCrash, WorkerPool, WorkerStalled } from '../worker-pool.ts'
import { removeAbandonedFiles, removeScratchFile } from './scratch.ts'

/** The fallback transcoder holds its output in memory, and is far slower than the server. */
const fallbackLimits = {
  bytes: 64 * 1024 * 1024,
  /** One minute of 720p. */
  pixels: 1280 * 720 * 30 * 60,
  milliseconds: 5 * 60_000,
}

const LOCKS = 'heirloom-converted-videos:'

/** Converts videos one at a time, because one encoder uses the whole machine. */
export class VideoPreparer {
  readonly #coreUrl: string | undefined
  readonly #converters = new WorkerPool<VideoRequest, VideoResult<NotConverted>>(
    () => new Worker(new URL('./video.worker.ts', import.meta.url), { type: 'module' }),
  )
  readonly #fallbacks = new WorkerPool<FallbackRequest, Blob>(
    () => new Worker(new URL('./fallback.worker.ts', import.meta.url), { type: 'module' }),
  )
  /** Prefix of this page's file names, so that other pages do not delete its files as orphans. */
  readonly #page = Math.random().toString(36).slice(2)
  readonly #disposal = Promise.withResolvers<void>()
  readonly #scratchFiles = new Set<string>()
  #count = 0
  /** Requested once: a second request for the same lock would wait until this page is closed. */
  #locked: Promise<void> | undefined

  constructor(coreUrl: string | undefined) {
    this.#coreUrl = coreUrl
  }

  async prepare(file: File, { signal, onProgress }: ProgressOptions): Promise<PreparedVideo> {
    this.#locked ??= this.#lockPage()
    await this.#locked
    const scratchName = `${this.#page}.${++this.#count}.mp4`
    this.#scratchFiles.add(scratchName)
    const options = { signal, onProgress: onlyIncreasing(onProgress) }
    const discard = () => this.#discard(scratchName)
    try {
      const made = await this.#convert({ file, scratchName }, options)
      if (made.outcome === 'converted') return converted(file, made.mp4, made.how, discard)
      await discard()
      return made.outcome === 'unsupported' ? await this.#convertWithFallback(file, made, options) : made
    } catch (error) {
      // Not awaited, so that cancelling is immediate.
      void discard()
      if (isUnreadable(error)) throw new PreparationError(texts.errors.unreadableVideo, { cause: error })
      throw error
    }
  }

  dispose(): void {
    this.#converters.dispose()
    this.#fallbacks.dispose()
    for (const name of this.#scratchFiles) void removeScratchFile(name)
    this.#disposal.resolve()
  }

  async #convert(request: VideoRequest, options: ProgressOptions): Promise<VideoResult<string>> {
    try {
      const made = await this.#converters.run(request, options)
      return 'reason' in made ? { ...made, reason: reasonInWords(made.reason) } : made
    } catch (error) {
      if (isUnreadable(error)) throw error
      if (error instanceof WorkerStalled) return { outcome: 'server', reason: texts.leftToServer.tooSlow }
      return { outcome: 'unsupported', reason: failureReason(error), pixels: null }
    }
  }

  async #convertWithFallback(
    file: File,
    { reason, pixels }: Extract<VideoResult<string>, { outcome: 'unsupported' }>,
    options: ProgressOptions,
  ): Promise<PreparedVideo> {
    if (file.size > fallbackLimits.bytes || (pixels ?? 0) > fallbackLimits.pixels) return { outcome: 'server', reason }
    const late = AbortSignal.timeout(fallbackLimits.milliseconds)
    const signal = AbortSignal.any(options.signal ? [options.signal, late] : [late])
    try {
      const mp4 = await this.#fallbacks.run({ file, coreUrl: this.#coreUrl }, { ...options, signal })
      return converted(file, mp4, 'fallback', async () => undefined)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (isUnreadable(error)) throw error
      const why = late.aborted ? texts.leftToServer.tooSlow : failureReason(error)
      return { outcome: 'server', reason: texts.errors.transcoding({ reason: why }) }
    }
  }

  /** Holds a lock while this page is open, and removes the orphaned files of closed pages. */
  async #lockPage(): Promise<void> {
    const { locks } = navigator
    // Insecure pages have neither locks nor a private file system.
    if (!locks) return
    await new Promise<void>(held => {
      void locks.request(`${LOCKS}${this.#page}`, () => {
        held()
        return this.#disposal.promise
      })
    })
    const { held = [] } = await locks.query()
    const alive = new Set(held.map(({ name = '' }) => name))
    await removeAbandonedFiles(page => alive.has(`${LOCKS}${page}`))
  }

  async #discard(name: string): Promise<void> {
    this.#scratchFiles.delete(name)
    await removeScratchFile(name)
  }
}

function converted(
  original: File,
  mp4: Blob,
  how: 'remuxed' | 'encoded' | 'fallback',
  discard: () => Promise<void>,
): PreparedVideo {
  const name = `${original.name.replace(/\.[^.]*$/, '')}.mp4`
  const file = new File([mp4], name, { type: 'video/mp4', lastModified: original.lastModified })
  return { outcome: 'converted', file, how, discard }
}

/** The fallback starts at 0 again, but a progress bar must not move backwards. */
function onlyIncreasing(onProgress: ProgressOptions['onProgress']): ProgressOptions['onProgress'] {
  let highest = -1
  return percent => {
    if (percent <= highest) return
    highest = percent
    onProgress?.(percent)
  }
}

function reasonInWords(reason: NotConverted): string {
  return typeof reason === 'string' ? texts.leftToServer[reason] : texts.errors.transcoding({ reason: reason.error })
}

/** Rethrows what is not a conversion failure, such as an abort. */
function failureReason(error: unknown): string {
  if (error instanceof WorkerCrash) return texts.leftToServer.brokenDown
  if (error instanceof TaskFailure) {
    const known = whyNotPrepared(error)
    return known ? texts.leftToServer[known] : error.message
  }
  throw error
}
