import type { Storage } from '../../storage/storage.ts'
import { inParallel } from '../in-parallel.ts'
import type { Progress } from '../progress.ts'
import type { BackupFolder, Problem } from './backup-folder.ts'
import { canBeMadeAgain, type ListedFile } from './files-list.sql.ts'
import { findTransferred, type Transferred, transfer, transferAsItIs } from './transfer.ts'

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
    if (!(await isBackedUp(deps, file))) {
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

async function isBackedUp({ backup, verify, signal }: CopyDeps, file: ListedFile): Promise<boolean> {
  const found = await findTransferred(backup.files, file, { verify, signal })
  if (found === 'damaged') {
    // It is copied again, and set aside in case the library has lost the file.
    await transferAsItIs(backup.files, backup.damaged, file.key, signal)
    await backup.files.remove([file.key])
  }
  return found === 'whole'
}

async function copy({ library, backup, signal }: CopyDeps, file: ListedFile): Promise<Transferred> {
  const outcome = await transfer(library, backup.files, file, signal)
  if (outcome === 'whole') await backup.damaged.remove([file.key])
  if (outcome === 'damaged' && !canBeMadeAgain(file.kind)) {
    await transferAsItIs(library, backup.damaged, file.key, signal)
  }
  return outcome
}
