import { createFolder, type Folder, folderNameKey, listFolders } from '#contract/folders.ts'
import { lengths, uploadDialog } from '#contract/limits.ts'
import { checkDuplicate, type DuplicateOf, getMedia } from '#contract/media.ts'
import { ApiError, call } from '../kit/api.ts'
import { isVideo } from './accept.ts'
import type { Destination } from './pending-uploads-db.ts'
import { needsConversion, PreparationError, type PreparedParts, type Preparer } from './prepare/prepare.ts'
import { retryUntilOnline } from './retry.ts'
import { type SendResult, sendUpload } from './send-upload.ts'
import { texts } from './texts.ts'
import { delay, type FindByHash, ItemError, type Processing, type Step, type Transport } from './upload-batch.ts'
import type { UploadItem } from './upload-items.ts'

interface Options {
  /** Origin that uploads are sent to; empty for the page's own. */
  host: string
  preparer: Preparer
  onConversionFailed: (name: string, reason: string) => void
}

/** Members' files are hashed, compared with the library and prepared before they are sent. */
export function createMemberTransport(options: Options): Transport {
  const { host, preparer } = options
  const folders = new FolderResolver()
  return {
    sendsAtOnce: false,
    pauseBetweenFiles: uploadDialog.pauseBetweenFiles,
    inspect: (item, sameInSelection, step) => inspectItem(item, preparer, sameInSelection, step),
    prepare: (item, processing, step) => prepareItem(item, processing, options, step),
    async send(item, { images, converted }, step) {
      const { name, file: original, motion, hash, metadata, path } = item
      const { destination } = step
      if (!destination) throw new Error(`Nobody noted where ${name} goes`)
      const folderId = await retryUntilOnline(() => folders.resolve(destination, path), step)
      const payload = { name, original, motion, hash, metadata, folderId, images, converted }
      return outcomeOf(item, await sendUpload(payload, { host, ...step }))
    },
    isSessionEnd,
    onBatchEnd: () => folders.reset(),
    dispose: () => preparer.dispose(),
  }
}

function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

function outcomeOf({ hash, motion }: UploadItem, sent: SendResult): Partial<UploadItem> {
  const { clipIsSeparate, incomplete } = sent
  if (sent.outcome === 'duplicate') {
    return { status: 'duplicate', duplicateOf: { name: sent.name, where: 'library' }, incomplete }
  }
  const noted = clipIsSeparate && motion ? { clipIsSeparate, note: texts.clipIsSeparate({ clip: motion.name }) } : {}
  return { status: 'success', hashConfirmed: hash === null ? null : sent.hash === hash, incomplete, ...noted }
}

/** Reads the metadata, computes the hash and checks for duplicates, before any expensive work. */
async function inspectItem(
  item: UploadItem,
  preparer: Preparer,
  sameInSelection: FindByHash,
  step: Step,
): Promise<void> {
  const { signal, report } = step
  report({ status: 'extracting', progress: null })
  const metadata = await preparer.readMetadata(item.file, { signal })
  report({ status: 'hashing', metadata, progress: 0 })
  const hashed = item.hash ?? (await hashOf(item.file, preparer, step))
  if (typeof hashed !== 'string') {
    report({ status: 'pending', inspected: true, progress: null, note: texts.errors.hash({ reason: hashed.reason }) })
    return
  }
  report({ hash: hashed })
  const twin = sameInSelection(hashed)
  if (twin) {
    report({ status: 'duplicate', progress: null, duplicateOf: { name: twin.name, where: 'selection' } })
    return
  }
  report({ status: 'checking', progress: null })
  const [duplicate] = await findDuplicates(hashed, step)
  const onlyClipIsNew =
    duplicate !== undefined && item.motion !== null && !(await hasClip(duplicate, item.motion, step))
  if (duplicate && !onlyClipIsNew) report(duplicateOf(duplicate))
  else {
    const note = onlyClipIsNew ? texts.onlyClipIsNew : null
    report({ status: 'pending', inspected: true, progress: null, onlyClipIsNew, note })
  }
}

/** Asks the server whether it has this content, and marks the item as a duplicate if so. */
async function isInLibrary(hash: string, step: Step): Promise<boolean> {
  step.report({ status: 'checking', progress: null })
  const [duplicate] = await findDuplicates(hash, step)
  if (duplicate) step.report(duplicateOf(duplicate))
  return duplicate !== undefined
}

function duplicateOf({ original_name: name, incomplete }: DuplicateOf): Partial<UploadItem> {
  const missing = incomplete ? texts.duplicate.incomplete : null
  return { status: 'duplicate', progress: null, duplicateOf: { name, where: 'library' }, incomplete: missing }
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

async function askServer<T>(question: (signal: AbortSignal) => Promise<T>, step: Step): Promise<T> {
  try {
    return await retryUntilOnline(() => question(step.signal), step)
  } catch (error) {
    step.signal.throwIfAborted()
    if (isSessionEnd(error)) throw error
    throw new ItemError(reasonOf(error), null, { cause: error })
  }
}

/** The server's message, or ours if the response had none. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.errors.check
  if (error.code !== 'unexplained') return error.message
  return error.cause instanceof SyntaxError ? texts.errors.server : texts.errors.check
}

/** The expensive step: resizes a photo or converts a video. Undefined if the library already has the file by then. */
async function prepareItem(
  item: UploadItem,
  processing: Processing,
  options: Options,
  step: Step,
): Promise<PreparedParts | undefined> {
  // The library already has the variants of this photo.
  if (processing === 'server' || item.onlyClipIsNew) return {}
  return isVideo(item.file) ? prepareVideo(item, options, step) : preparePhoto(item, options, step)
}

async function preparePhoto({ file }: UploadItem, { preparer }: Options, step: Step): Promise<PreparedParts> {
  const { signal, report } = step
  report({ status: 'processing', progress: null })
  try {
    const prepared = await preparer.prepareImage(file, { signal })
    if (prepared.outcome === 'prepared') {
      const small = prepared.variants.find(({ type }) => type === 'thumbnail')
      if (!prepared.fullIsOriginal && small) report({ thumbnail: small.blob })
      return { images: prepared }
    }
    report({ note: prepared.reason })
    return {}
  } catch (error) {
    throw asItemError(error, signal, reason => new ItemError(texts.errors.process, reason, { cause: error }))
  }
}

async function prepareVideo(item: UploadItem, options: Options, step: Step): Promise<PreparedParts | undefined> {
  const { signal, report } = step
  report(needsConversion(item.file) ? { status: 'transcoding', progress: 0 } : { status: 'processing', progress: null })
  const onProgress = (percent: number) => report({ status: 'transcoding', progress: percent / 100 })
  try {
    const prepared = await options.preparer.prepareVideo(item.file, { signal, onProgress })
    report({ status: 'processing', progress: null })
    // The file system may need a moment before the new file can be read.
    await delay(uploadDialog.settle)
    if (prepared.outcome === 'plays') return {}
    if (prepared.outcome === 'server') {
      report({ note: prepared.reason })
      return {}
    }
    const made = { converted: prepared.file, discard: () => prepared.discard() }
    let isKept = false
    try {
      // Somebody else may have uploaded the same video during the conversion.
      isKept = item.hash === null || !(await isInLibrary(item.hash, step))
      return isKept ? made : undefined
    } finally {
      if (!isKept) await made.discard()
    }
  } catch (error) {
    throw asItemError(error, signal, reason => {
      options.onConversionFailed(item.name, reason)
      return new ItemError(texts.errors.transcode({ reason }), null, { cause: error })
    })
  }
}

function asItemError(error: unknown, signal: AbortSignal, make: (reason: string) => ItemError): unknown {
  signal.throwIfAborted()
  return error instanceof PreparationError ? make(error.message) : error
}

/** Finds the folders that files were dropped in and creates missing ones. Caches each folder for one batch. */
class FolderResolver {
  readonly #cache = new Map<string, Promise<number>>()

  /** Clears the cache, because people rename and delete folders between uploads. */
  reset(): void {
    this.#cache.clear()
  }

  async resolve({ folderId, keepStructure }: Destination, path: readonly string[]): Promise<number | null> {
    if (!keepStructure) return folderId
    let parent = folderId
    for (const name of path) parent = await this.#resolveChild(parent, name.trim().slice(0, lengths.folderName) || '-')
    return parent
  }

  #resolveChild(parent: number | null, name: string): Promise<number> {
    const key = `${parent}/${folderNameKey(name)}`
    const known = this.#cache.get(key)
    if (known) return known
    const found = findOrCreate(parent, name)
    this.#cache.set(key, found)
    found.catch(() => this.#cache.delete(key))
    return found
  }
}

async function findOrCreate(parent: number | null, name: string): Promise<number> {
  const there = await find(parent, name)
  if (there) return there.id
  try {
    return (await call(createFolder, { body: { name, parent_id: parent } })).id
  } catch (error) {
    // Somebody else created it at the same time.
    const made = error instanceof ApiError && error.status === 409 ? await find(parent, name) : undefined
    if (made) return made.id
    throw error
  }
}

async function find(parent: number | null, name: string): Promise<Folder | undefined> {
  const folders = await call(listFolders, {})
  return folders.find(folder => folder.parent_id === parent && folderNameKey(folder.name) === folderNameKey(name))
}
