import { checkDuplicate, type DuplicateOf } from '#contract/media.ts'
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
  if (await isInLibrary(hashed, { signal, report })) return
  report({ status: 'pending', examined: true, progress: null })
}

/** Asks the server whether it has these bytes, and says so of the item. */
export async function isInLibrary(hash: string, { signal, report }: Step): Promise<boolean> {
  report({ status: 'checking', progress: null })
  const [duplicate] = await findDuplicates(hash, { signal, report })
  if (!duplicate) return false
  report({ status: 'duplicate', duplicateOf: { name: duplicate.original_name, where: 'library' } })
  return true
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

async function findDuplicates(hash: string, { signal, report }: Step): Promise<DuplicateOf[]> {
  const ask = () => call(checkDuplicate, { body: { hash } }, signal)
  try {
    const answer = await persistently(ask, { signal, onWaiting: waiting => report({ waiting }) })
    return answer.duplicates
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
