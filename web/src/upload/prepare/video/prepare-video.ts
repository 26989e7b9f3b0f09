import { isUnreadable, PreparationError } from '../errors.ts'
import type { PreparedVideo, ProgressOptions } from '../prepare.ts'
import { texts } from '../texts.ts'
import { TaskFailure, WorkerBreakdown, WorkerPool, WorkerStalled } from '../workers/pool.ts'
import type { FallbackOrder, MadeVideo, VideoOrder } from './made.ts'
import { removeScratchFile, sweepScratch } from './scratch.ts'

/** The fallback library keeps what it writes in memory, and takes minutes for what the server does in seconds. */
const fallbackLimits = {
  bytes: 64 * 1024 * 1024,
  /** A minute of 720p. */
  pixels: 1280 * 720 * 30 * 60,
  milliseconds: 5 * 60_000,
}

const LOCKS = 'heirloom-converted-videos:'

/** Converts videos one at a time: the encoder uses the whole machine by itself. */
export class VideoPreparer {
  readonly #coreUrl: string | undefined
  readonly #converters = new WorkerPool<VideoOrder, MadeVideo>(
    () => new Worker(new URL('./video.worker.ts', import.meta.url), { type: 'module' }),
  )
  readonly #fallbacks = new WorkerPool<FallbackOrder, Blob>(
    () => new Worker(new URL('./fallback.worker.ts', import.meta.url), { type: 'module' }),
  )
  /** Stands in the names of this page's files, so that no other page takes them for leftovers. */
  readonly #page = Math.random().toString(36).slice(2)
  readonly #disposal = Promise.withResolvers<void>()
  readonly #kept = new Set<string>()
  #count = 0
  /** Registering happens once: a second request for the same lock would wait until this page is closed. */
  #registered: Promise<void> | undefined

  constructor(coreUrl: string | undefined) {
    this.#coreUrl = coreUrl
  }

  async prepare(file: File, { signal, onProgress }: ProgressOptions): Promise<PreparedVideo> {
    this.#registered ??= this.#registerPage()
    await this.#registered
    const scratchName = `${this.#page}.${++this.#count}.mp4`
    this.#kept.add(scratchName)
    const options = { signal, onProgress: rising(onProgress) }
    const discard = () => this.#discard(scratchName)
    try {
      const made = await this.#convert({ file, scratchName }, options)
      if (made.outcome === 'converted') return converted(file, made.mp4, made.how, discard)
      await discard()
      return made.outcome === 'beyond' ? await this.#fallBack(file, made, options) : made
    } catch (error) {
      // Nobody waits for it: who cancels wants to be gone.
      void discard()
      if (isUnreadable(error)) throw new PreparationError(texts.errors.unreadableVideo, { cause: error })
      throw error
    }
  }

  dispose(): void {
    this.#converters.dispose()
    this.#fallbacks.dispose()
    for (const name of this.#kept) void removeScratchFile(name)
    this.#disposal.resolve()
  }

  async #convert(order: VideoOrder, options: ProgressOptions): Promise<MadeVideo> {
    try {
      return await this.#converters.run(order, options)
    } catch (error) {
      if (isUnreadable(error)) throw error
      if (error instanceof WorkerStalled) return { outcome: 'server', reason: texts.leftToServer.tooSlow }
      return { outcome: 'beyond', reason: sayWhy(error), pixels: null }
    }
  }

  async #fallBack(
    file: File,
    { reason, pixels }: Extract<MadeVideo, { outcome: 'beyond' }>,
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
      const why = late.aborted ? texts.leftToServer.tooSlow : sayWhy(error)
      return { outcome: 'server', reason: texts.errors.transcoding(why) }
    }
  }

  /** Says that this page is alive as long as it is, and clears away what dead ones have left. */
  async #registerPage(): Promise<void> {
    const { locks } = navigator
    // Absent where the page is not secure; then there is no scratch folder either.
    if (!locks) return
    await new Promise<void>(held => {
      void locks.request(`${LOCKS}${this.#page}`, () => {
        held()
        return this.#disposal.promise
      })
    })
    const { held = [] } = await locks.query()
    const alive = new Set(held.map(({ name = '' }) => name))
    await sweepScratch(page => alive.has(`${LOCKS}${page}`))
  }

  async #discard(name: string): Promise<void> {
    this.#kept.delete(name)
    await removeScratchFile(name)
  }
}

function converted(
  original: File,
  mp4: Blob,
  how: 'rewrapped' | 'encoded' | 'fallback',
  discard: () => Promise<void>,
): PreparedVideo {
  const name = `${original.name.replace(/\.[^.]*$/, '')}.mp4`
  const file = new File([mp4], name, { type: 'video/mp4', lastModified: original.lastModified })
  return { outcome: 'converted', file, how, discard }
}

/** The fallback begins at nothing again; a bar that goes backwards frightens people. */
function rising(onProgress: ProgressOptions['onProgress']): ProgressOptions['onProgress'] {
  let highest = -1
  return percent => {
    if (percent <= highest) return
    highest = percent
    onProgress?.(percent)
  }
}

/** Passes on what is no failure of the conversion: an abort, above all. */
function sayWhy(error: unknown): string {
  if (error instanceof WorkerBreakdown) return texts.leftToServer.brokenDown
  if (error instanceof TaskFailure) return error.message
  throw error
}
