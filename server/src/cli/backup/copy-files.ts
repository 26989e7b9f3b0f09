import { AppError } from '../../kit/errors.ts'
import { hashFile } from '../../processing/hash.ts'
import type { Storage } from '../../storage/storage.ts'
import { inParallel } from '../in-parallel.ts'
import type { Progress } from '../progress.ts'
import type { BackupFolder, Trouble } from './backup-folder.ts'
import { NotWhole, whole } from './check-whole.ts'
import { canBeMadeAgain, type ListedFile } from './files-list.sql.ts'

export interface CopyDeps {
  library: Storage
  backup: BackupFolder
  /** Read what the backup holds already, rather than trust its size. */
  verify: boolean
  progress: Progress
  signal: AbortSignal
}

export interface Copied {
  copied: number
  copiedBytes: number
  troubles: Trouble[]
}

/** Waiting for the disk is most of the work with small files. */
const AT_ONCE = 4

/** Sees to it that the backup holds every listed file. One that is not whole any more is told of, and the rest goes on. */
export async function copyFiles(deps: CopyDeps, files: AsyncIterable<ListedFile>): Promise<Copied> {
  const result: Copied = { copied: 0, copiedBytes: 0, troubles: [] }
  await inParallel(files, AT_ONCE, async file => {
    deps.signal.throwIfAborted()
    const outcome = (await isHeld(deps, file)) ? 'held' : await copy(deps, file)
    if (outcome === 'copied') {
      result.copied++
      result.copiedBytes += file.size ?? 0
    } else if (outcome !== 'held' && !canBeMadeAgain(file.kind)) {
      result.troubles.push({ key: file.key, name: file.name, trouble: outcome })
    }
    deps.progress.add(1, file.size ?? 0)
  })
  return result
}

async function isHeld({ backup, verify, signal }: CopyDeps, file: ListedFile): Promise<boolean> {
  const held = await backup.files.stat(file.key)
  if (!held) return false
  const hashOf = (path: string) => hashFile(path, { signal })
  const sound =
    (file.size === null || held.size === file.size) &&
    (!verify || file.hash === null || (await backup.files.withLocalCopy(file.key, hashOf)) === file.hash)
  // Gone bad in the backup itself: it is fetched anew.
  if (!sound) await backup.files.remove([file.key])
  return sound
}

async function copy(deps: CopyDeps, file: ListedFile): Promise<'copied' | Trouble['trouble']> {
  const { library, backup, signal } = deps
  if (!(await library.stat(file.key))) return 'missing'
  try {
    const { stream } = await library.read(file.key)
    await backup.files.put(file.key, whole(stream, file), { signal })
    await backup.damaged.remove([file.key])
    return 'copied'
  } catch (error) {
    signal.throwIfAborted()
    // Of what the disk of the backup says, and of what nobody expected, the person must hear at once.
    if (error instanceof AppError && error.code !== 'not_found') throw error
    if (!(error instanceof NotWhole)) return unreadable(error)
    if (!canBeMadeAgain(file.kind)) await keepDamaged(deps, file)
    return 'damaged'
  }
}

/** The disk of the library gives no more of the file than an error; that too is damage. */
function unreadable(error: unknown): Trouble['trouble'] {
  if (error instanceof AppError) return 'missing'
  if (error instanceof Error && 'code' in error) return 'damaged'
  throw error
}

async function keepDamaged({ library, backup, signal }: CopyDeps, { key }: ListedFile): Promise<void> {
  await backup.damaged.remove([key])
  const { stream } = await library.read(key)
  await backup.damaged.put(key, stream, { signal })
}
