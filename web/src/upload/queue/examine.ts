import { checkDuplicate, type DuplicateOf, getMedia } from '#contract/media.ts'
import { ApiError, call } from '../../kit/api.ts'
import type { Preparer } from '../prepare/prepare.ts'
import { texts } from '../texts.ts'
import { persistently } from '../transport/connection.ts'
import { RowError, type Step } from './desk.ts'
import type { UploadItem } from './item.ts'

/** Reads, hashes and compares a file: all that can be known of it before anything costly is done. */
export async function examine(
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
    report({ status: 'pending', examined: true, progress: null, note: texts.errors.hash(hashed.reason) })
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
    report({ status: 'pending', examined: true, progress: null, onlyClipIsNew, note })
  }
}

/** Asks the server whether it has these bytes, and says so of the item. */
export async function isInLibrary(hash: string, { signal, report }: Step): Promise<boolean> {
  report({ status: 'checking', progress: null })
  const [held] = await findDuplicates(hash, { signal, report })
  if (held) report(duplicateOf(held))
  return held !== undefined
}

function duplicateOf({ original_name: name }: DuplicateOf): Partial<UploadItem> {
  return { status: 'duplicate', progress: null, duplicateOf: { name, where: 'library' } }
}

/** Whether a photo of the library has this clip. Another one is sent: the server keeps it as a file of its own. */
function hasClip({ id }: DuplicateOf, clip: File, step: Step): Promise<boolean> {
  return ask(async signal => (await call(getMedia, { params: { id } }, signal)).motion_size === clip.size, step)
}

/** A file that cannot be hashed is sent all the same: the server hashes what arrives. */
async function hashOf(file: File, preparer: Preparer, { signal, report }: Step): Promise<string | { reason: string }> {
  try {
    return await preparer.hashFile(file, { signal, onProgress: percent => report({ progress: percent / 100 }) })
  } catch (error) {
    signal.throwIfAborted()
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

function findDuplicates(hash: string, step: Step): Promise<DuplicateOf[]> {
  return ask(async signal => (await call(checkDuplicate, { body: { hash } }, signal)).duplicates, step)
}

async function ask<T>(question: (signal: AbortSignal) => Promise<T>, { signal, report }: Step): Promise<T> {
  try {
    return await persistently(() => question(signal), { signal, onWaiting: waiting => report({ waiting }) })
  } catch (error) {
    signal.throwIfAborted()
    throw new RowError(reasonOf(error), null, { cause: error })
  }
}

/** The server's own words; ours where it answered without any, or not as a server of ours does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.errors.check
  if (error.code !== 'unexplained') return error.message
  return error.cause instanceof SyntaxError ? texts.errors.server : texts.errors.check
}
