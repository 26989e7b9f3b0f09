import { hashFile } from '../../processing/hash.ts'
import type { LocalStorage } from '../../storage/local/local-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import type { BackupFolder, Trouble } from '../backup/backup-folder.ts'
import { NotWhole, whole } from '../backup/check-whole.ts'
import { canBeMadeAgain, type ListedFile } from '../backup/files-list.sql.ts'
import { inParallel } from '../in-parallel.ts'
import type { Progress } from '../progress.ts'

export interface FileTrouble extends Trouble {
  mediaId: number | null
}

interface BringBackDeps {
  backup: BackupFolder
  library: LocalStorage
  progress: Progress
  signal: AbortSignal
}

type Check = (stream: AsyncIterable<Uint8Array>, file: ListedFile) => AsyncIterable<Uint8Array>

const AT_ONCE = 4

/** Puts every listed file into the library's storage, compared with its hash on the way. */
export async function bringBackFiles(deps: BringBackDeps, files: AsyncIterable<ListedFile>): Promise<FileTrouble[]> {
  const troubles: FileTrouble[] = []
  await inParallel(files, AT_ONCE, async file => {
    deps.signal.throwIfAborted()
    const outcome = await bringBack(deps, file)
    // A picture that is not in the backup is simply made again.
    if (outcome !== 'back' && !canBeMadeAgain(file.kind)) {
      troubles.push({ key: file.key, name: file.name, mediaId: file.mediaId, trouble: outcome })
    }
    deps.progress.add(1, file.size ?? 0)
  })
  return troubles
}

async function bringBack(deps: BringBackDeps, file: ListedFile): Promise<'back' | Trouble['trouble']> {
  const { backup, library, signal } = deps
  if (await isBackAlready(deps, file)) return 'back'
  const put = async (source: Storage, check: Check = stream => stream) => {
    const { stream } = await source.read(file.key)
    await library.put(file.key, check(stream, file), { signal })
  }
  const inBackup = (await backup.files.stat(file.key)) !== undefined
  if (inBackup) {
    try {
      await put(backup.files, whole)
      return 'back'
    } catch (error) {
      if (!(error instanceof NotWhole)) throw error
    }
  }
  // A photo with a flaw is better than none.
  const flawed = inBackup ? backup.files : backup.damaged
  if (!(await flawed.stat(file.key))) return 'missing'
  await put(flawed)
  return 'damaged'
}

/** By a restore that was stopped; what it left is read again, since nobody has vouched for it yet. */
async function isBackAlready({ library, signal }: BringBackDeps, file: ListedFile): Promise<boolean> {
  const there = await library.stat(file.key)
  if (!there) return false
  const hash = await library.withLocalCopy(file.key, path => hashFile(path, { signal }))
  if (there.size === (file.size ?? there.size) && hash === (file.hash ?? hash)) return true
  await library.remove([file.key])
  return false
}
