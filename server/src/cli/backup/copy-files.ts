import { hashFile } from '../../processing/hash.ts'
import { systemCode } from '../../storage/local/disk-errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { inParallel } from '../in-parallel.ts'
import type { Progress } from '../progress.ts'
import type { BackupFolder, Problem } from './backup-folder.ts'
import { canBeMadeAgain, type ListedFile } from './files-list.sql.ts'
import { type Transferred, transfer, transferAsItIs } from './transfer.ts'

export interface CopyDeps {
  library: Storage
  backup: BackupFolder
  /** Compare hashes of files that are already in the backup, instead of trusting their size. */
  verify: boolean
  progress: Progress
  signal: AbortSignal
}

export interface Copied {
  copied: number
  copiedBytes: number
  problems: Problem[]
}

/** With small files, most of the time is spent waiting for the disk. */
const AT_ONCE = 4

/** Copies every listed file that the backup lacks. A damaged file is reported, and the rest continues. */
export async function copyFiles(deps: CopyDeps, files: AsyncIterable<ListedFile>): Promise<Copied> {
  const result: Copied = { copied: 0, copiedBytes: 0, problems: [] }
  await inParallel(files, AT_ONCE, async file => {
    deps.signal.throwIfAborted()
    const size = file.size ?? 0
    if (!(await isHeld(deps, file))) {
      const outcome = await copy(deps, file)
      if (outcome === 'whole') {
        result.copied++
        result.copiedBytes += size
      } else if (!canBeMadeAgain(file.kind)) {
        result.problems.push({ key: file.key, name: file.name, problem: outcome })
      }
    }
    deps.progress.add(1, size)
  })
  return result
}

async function isHeld(deps: CopyDeps, file: ListedFile): Promise<boolean> {
  const { files, damaged } = deps.backup
  const held = await files.stat(file.key)
  if (!held) return false
  if (held.size === (file.size ?? held.size) && (!deps.verify || (await isSound(deps, file)))) return true
  // The copy in the backup is damaged: it is copied again, and set aside in case the library has lost the file.
  await transferAsItIs(files, damaged, file.key, deps.signal)
  await files.remove([file.key])
  return false
}

async function isSound({ backup, signal }: CopyDeps, { key, hash }: ListedFile): Promise<boolean> {
  if (hash === null) return true
  try {
    return (await backup.files.withLocalCopy(key, path => hashFile(path, { signal }))) === hash
  } catch (error) {
    signal.throwIfAborted()
    if (systemCode(error) === undefined) throw error
    return false
  }
}

async function copy({ library, backup, signal }: CopyDeps, file: ListedFile): Promise<Transferred> {
  const outcome = await transfer(library, backup.files, file, signal)
  if (outcome === 'whole') await backup.damaged.remove([file.key])
  if (outcome === 'damaged' && !canBeMadeAgain(file.kind)) {
    await transferAsItIs(library, backup.damaged, file.key, signal)
  }
  return outcome
}
