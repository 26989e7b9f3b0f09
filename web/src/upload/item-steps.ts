import { uploadDialog } from '#contract/limits.ts'
import { checkDuplicate, type DuplicateOf, getMedia } from '#contract/media.ts'
import { ApiError, call } from '../kit/api.ts'
import { needsConversion, PreparationError, type Preparer } from './prepare/prepare.ts'
import { retryUntilOnline } from './retry.ts'
import type { UploadPayload } from './send-upload.ts'
import { texts } from './texts.ts'
import { ConversionError, delay, ItemError, type Step } from './upload-context.ts'
import type { UploadItem } from './upload-items.ts'

/** Reads the metadata, computes the hash and checks for duplicates, before any expensive work. */
export async function inspectItem(
  item: UploadItem,
  preparer: Preparer,
  sameInSelection: (hash: string) => UploadItem | undefined,
  { signal, report }: Step,
): Promise<void> {
  report({ status: 'extracting', progress: null })
  const metadata = await preparer.readMetadata(item.file, { signal })
  report({ status: 'hashing', metadata, progress: 0 })
  const hashed = item.hash ?? (await hashOf(item.file, preparer, { signal, report }))
  if (typeof hashed !== 'string') {
    report({ status: 'pending', inspected: true, progress: null, note: texts.errors.hash(hashed.reason) })
    return
  }
  report({ hash: hashed })
  const twin = sameInSelection(hashed)
  if (twin) {
    report({ status: 'duplicate', progress: null, duplicateOf: { name: twin.name, where: 'selection' } })
    return
  }
  report({ status: 'checking', progress: null })
  const [held] = await findDuplicates(hashed, { signal, report })
  const onlyClipIsNew =
    held !== undefined && item.motion !== null && !(await hasClip(held, item.motion, { signal, report }))
  if (held && !onlyClipIsNew) report(duplicateOf(held))
  else {
    const note = onlyClipIsNew ? texts.onlyClipIsNew : null
    report({ status: 'pending', inspected: true, progress: null, onlyClipIsNew, note })
  }
}

/** Asks the server whether it has this content, and marks the item as a duplicate if so. */
async function isInLibrary(hash: string, { signal, report }: Step): Promise<boolean> {
  report({ status: 'checking', progress: null })
  const [held] = await findDuplicates(hash, { signal, report })
  if (held) report(duplicateOf(held))
  return held !== undefined
}

function duplicateOf({ original_name: name }: DuplicateOf): Partial<UploadItem> {
  return { status: 'duplicate', progress: null, duplicateOf: { name, where: 'library' } }
}

/** Whether the photo in the library has this clip. A different clip is uploaded and becomes a separate video. */
function hasClip({ id }: DuplicateOf, clip: File, step: Step): Promise<boolean> {
  return askServer(async signal => (await call(getMedia, { params: { id } }, signal)).motion_size === clip.size, step)
}

/** A file that cannot be hashed is uploaded anyway: the server hashes it. */
async function hashOf(file: File, preparer: Preparer, { signal, report }: Step): Promise<string | { reason: string }> {
  try {
    return await preparer.hashFile(file, { signal, onProgress: percent => report({ progress: percent / 100 }) })
  } catch (error) {
    signal.throwIfAborted()
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

function findDuplicates(hash: string, step: Step): Promise<DuplicateOf[]> {
  return askServer(async signal => (await call(checkDuplicate, { body: { hash } }, signal)).duplicates, step)
}

async function askServer<T>(question: (signal: AbortSignal) => Promise<T>, { signal, report }: Step): Promise<T> {
  try {
    return await retryUntilOnline(() => question(signal), { signal, onOffline: offline => report({ offline }) })
  } catch (error) {
    signal.throwIfAborted()
    throw new ItemError(reasonOf(error), null, { cause: error })
  }
}

/** The server's message, or ours if the response had none. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.errors.check
  if (error.code !== 'unexplained') return error.message
  return error.cause instanceof SyntaxError ? texts.errors.server : texts.errors.check
}

export type Processing = 'client' | 'server'

/** What the browser prepared for an upload. */
export interface PreparedParts {
  images?: UploadPayload['images']
  converted?: File
  /** Deletes temporary files. */
  discard(): Promise<void>
}

const nothingPrepared: PreparedParts = { discard: async () => undefined }

/** The expensive step: resizes a photo or converts a video. Undefined if the library already has the file by then. */
export async function prepareItem(
  item: UploadItem,
  processing: Processing,
  preparer: Preparer,
  step: Step,
): Promise<PreparedParts | undefined> {
  // The library already has the variants of this photo.
  if (processing === 'server' || item.onlyClipIsNew) return nothingPrepared
  if (item.file.type.startsWith('video/')) return prepareVideo(item, preparer, step)
  return preparePhoto(item, preparer, step)
}

async function preparePhoto(
  { file }: UploadItem,
  preparer: Preparer,
  { signal, report }: Step,
): Promise<PreparedParts> {
  report({ status: 'processing', progress: null })
  try {
    const prepared = await preparer.prepareImage(file, { signal })
    if (prepared.outcome === 'prepared') {
      const small = prepared.variants.find(({ type }) => type === 'thumbnail')
      if (!prepared.fullIsOriginal && small) report({ thumbnail: small.blob })
      return { ...nothingPrepared, images: prepared }
    }
    report({ note: prepared.reason })
    return nothingPrepared
  } catch (error) {
    throw asItemError(error, signal, reason => new ItemError(texts.errors.process, reason, { cause: error }))
  }
}

async function prepareVideo(
  item: UploadItem,
  preparer: Preparer,
  { signal, report }: Step,
): Promise<PreparedParts | undefined> {
  report(needsConversion(item.file) ? { status: 'transcoding', progress: 0 } : { status: 'processing', progress: null })
  const onProgress = (percent: number) => report({ status: 'transcoding', progress: percent / 100 })
  try {
    const prepared = await preparer.prepareVideo(item.file, { signal, onProgress })
    report({ status: 'processing', progress: null })
    // The file system may need a moment before the new file can be read.
    await delay(uploadDialog.settle)
    if (prepared.outcome === 'plays') return nothingPrepared
    if (prepared.outcome === 'server') {
      report({ note: prepared.reason })
      return nothingPrepared
    }
    const made = { converted: prepared.file, discard: () => prepared.discard() }
    // Somebody else may have uploaded the same video during the conversion.
    if (item.hash === null || !(await isInLibrary(item.hash, { signal, report }))) return made
    await made.discard()
    return undefined
  } catch (error) {
    throw asItemError(error, signal, reason => new ConversionError(reason, { cause: error }))
  }
}

function asItemError(error: unknown, signal: AbortSignal, make: (reason: string) => ItemError): unknown {
  signal.throwIfAborted()
  return error instanceof PreparationError ? make(error.message) : error
}
