import type { Storage } from '../../storage/storage.ts'
import type { BackupFolder, Problem } from '../backup/backup-folder.ts'
import { canBeMadeAgain, type ListedFile } from '../backup/files-list.sql.ts'
import { findTransferred, type Transferred, transfer, transferAsItIs } from '../backup/transfer.ts'
import { inParallel } from '../in-parallel.ts'
import type { Progress } from '../progress.ts'

export interface FileProblem extends Problem {
  mediaId: number | null
}

interface RestoreFilesDeps {
  backup: BackupFolder
  library: Storage
  progress: Progress
  signal: AbortSignal
}

const AT_ONCE = 4

/** Copies every listed file into the library's storage and verifies its hash. */
export async function restoreFiles(deps: RestoreFilesDeps, files: AsyncIterable<ListedFile>): Promise<FileProblem[]> {
  const problems: FileProblem[] = []
  await inParallel(files, AT_ONCE, async file => {
    deps.signal.throwIfAborted()
    const outcome = await restoreFile(deps, file)
    // A variant that is not in the backup is regenerated.
    if (outcome !== 'whole' && !canBeMadeAgain(file.kind)) {
      problems.push({ key: file.key, name: file.name, mediaId: file.mediaId, problem: outcome })
    }
    deps.progress.add(1, file.size ?? 0)
  })
  return problems
}

async function restoreFile(deps: RestoreFilesDeps, file: ListedFile): Promise<Transferred> {
  const { backup, library, signal } = deps
  if (await isAlreadyRestored(deps, file)) return 'whole'
  const outcome = await transfer(backup.files, library, file, signal)
  if (outcome === 'whole' || canBeMadeAgain(file.kind)) return outcome
  for (const flawed of [backup.files, backup.damaged]) {
    if (await transferAsItIs(flawed, library, file.key, signal)) return 'damaged'
  }
  return 'missing'
}

/** Whether an interrupted restore already copied this file. It is hashed again, because it was not verified. */
async function isAlreadyRestored({ library, signal }: RestoreFilesDeps, file: ListedFile): Promise<boolean> {
  const found = await findTransferred(library, file, { verify: true, signal })
  if (found === 'damaged') await library.remove([file.key])
  return found === 'whole'
}
