import { uploadDialog } from '#contract/limits.ts'
import { needsConversion } from '../prepare/needs-conversion.ts'
import { PreparationError, type Preparer } from '../prepare/prepare.ts'
import { texts } from '../texts.ts'
import type { Parcel } from '../transport/parcel.ts'
import { ConversionFailed, pause, RowError, type Step } from './desk.ts'
import { isInLibrary } from './examine.ts'
import type { UploadItem } from './item.ts'

export type Processing = 'client' | 'server'

/** What was made of a file in this browser. */
export interface Made {
  pictures?: Parcel['pictures']
  converted?: File
  /** Throws away what lies on disk. */
  discard(): Promise<void>
}

const nothing: Made = { discard: async () => undefined }

/** The costly part: pictures of a photo, or a video that plays. Undefined where the library came to have it meanwhile. */
export async function makeReady(
  item: UploadItem,
  processing: Processing,
  preparer: Preparer,
  step: Step,
): Promise<Made | undefined> {
  // Of a photo that the library has, it has the pictures too.
  if (processing === 'server' || item.onlyClipIsNew) return nothing
  if (item.file.type.startsWith('video/')) return makeVideo(item, preparer, step)
  return makePictures(item, preparer, step)
}

async function makePictures({ file }: UploadItem, preparer: Preparer, { signal, report }: Step): Promise<Made> {
  report({ status: 'processing', progress: null })
  try {
    const prepared = await preparer.prepareImage(file, { signal })
    if (prepared.outcome === 'prepared') return { ...nothing, pictures: prepared }
    report({ note: prepared.reason })
    return nothing
  } catch (error) {
    throw asRowError(error, signal, reason => new RowError(texts.errors.process, reason, { cause: error }))
  }
}

async function makeVideo(item: UploadItem, preparer: Preparer, { signal, report }: Step): Promise<Made | undefined> {
  report(needsConversion(item.file) ? { status: 'transcoding', progress: 0 } : { status: 'processing', progress: null })
  const onProgress = (percent: number) => report({ status: 'transcoding', progress: percent / 100 })
  try {
    const prepared = await preparer.prepareVideo(item.file, { signal, onProgress })
    report({ status: 'processing', progress: null })
    // What was just written to disk settles before it is read.
    await pause(uploadDialog.settle)
    if (prepared.outcome === 'plays') return nothing
    if (prepared.outcome === 'server') {
      report({ note: prepared.reason })
      return nothing
    }
    const made = { converted: prepared.file, discard: () => prepared.discard() }
    // A conversion takes its time, in which somebody else may have sent the same film.
    if (item.hash === null || !(await isInLibrary(item.hash, { signal, report }))) return made
    await made.discard()
    return undefined
  } catch (error) {
    throw asRowError(error, signal, reason => new ConversionFailed(reason, { cause: error }))
  }
}

function asRowError(error: unknown, signal: AbortSignal, make: (reason: string) => RowError): unknown {
  signal.throwIfAborted()
  return error instanceof PreparationError ? make(error.message) : error
}
