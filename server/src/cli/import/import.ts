import { stat } from 'node:fs/promises'
import type { AppContext } from '../../context.ts'
import { type FolderFinder, openFolderFinder } from '../../folders/public.ts'
import { mediaIdOf, type StoredUpload } from '../../media/upload/store-upload.ts'
import { isWithin, realPath } from '../../real-path.ts'
import { type Call, CommandError } from '../command.ts'
import { inParallel } from '../in-parallel.ts'
import { type Progress, showProgress, type Work } from '../progress.ts'
import { importState, type KnownFiles, openKnownFiles } from './known-files.sql.ts'
import { type ImportResult, storeFromDisk, Unreadable } from './store-from-disk.ts'
import { inSummary, newTally, type Tally } from './tally.ts'
import { findUploader, type Uploader } from './uploader.sql.ts'
import { isLivePhoto, type TreeFile, walk } from './walk.ts'

export interface ImportOptions {
  folder: string
  /** E-mail of the person who will own the files; default: the first admin. */
  as: string | undefined
  /** Import again files that were deleted in the library. */
  again: boolean
  /** List every skipped file, not only the first ones. */
  listAll: boolean
}

interface Importing extends AppContext {
  known: KnownFiles
  folderFor: FolderFinder
  uploaderId: number
  again: boolean
  tally: Tally
  progress: Progress
  signal: AbortSignal
}

/** Copying and syncing wait for the disk, so a few files are imported concurrently. */
const AT_ONCE = 3

/** Imports a folder tree. Each file is committed separately, so an interrupted import can be resumed. */
export async function importTree(
  context: AppContext,
  options: ImportOptions,
  { out, signal }: Pick<Call, 'out' | 'signal'>,
): Promise<{ tally: Tally; uploader: Uploader }> {
  const folder = await placeOf(options.folder, context.config.dataFolder)
  const uploader = await findUploader(context.db.query, options.as)
  const leaveOut = [await realPath(context.config.dataFolder)]
  const tree = () => walk(folder, { leaveOut, signal })
  const total = await measure(tree())
  const known = openKnownFiles(context.config.dataFolder)
  const tally = newTally()
  const progress = showProgress(out, 'Importing', total)
  try {
    const folderFor = await openFolderFinder(context, uploader.id)
    const { again } = options
    const importing = { ...context, known, folderFor, uploaderId: uploader.id, again, tally, progress, signal }
    await inParallel(tree(), AT_ONCE, async found => {
      signal.throwIfAborted()
      if ('file' in found) await importFound(importing, found.file)
      else tally.skip(found.skipped, found.path, 'reason' in found ? found.reason : undefined)
    })
  } finally {
    progress.end()
    out.write(inSummary(tally, options))
    known.close()
  }
  return { tally, uploader }
}

/** Imports both parts of a Live Photo together, and files that only share a name separately. */
async function importFound(importing: Importing, { clip, ...file }: TreeFile): Promise<void> {
  // A clip that was imported before was already checked then.
  if (clip && !importing.known.find(clip) && (await isLivePhoto(importing, file, clip))) {
    await importFile(importing, { ...file, clip })
    return
  }
  await importFile(importing, file)
  if (clip) await importFile(importing, clip)
}

async function importFile(importing: Importing, file: TreeFile): Promise<void> {
  const { db, known, folderFor, tally, progress, again } = importing
  const { clip } = file
  const bytes = file.size + (clip?.size ?? 0)
  const before = known.find(file)
  const state = before && (await importState(db.query, before))
  if (state === 'there' && !clip) tally.alreadyThere++
  else if (state === 'deleted' && !again) tally.deletedSince++
  else {
    try {
      const taken = await storeFromDisk(importing, file, () => folderFor(file.folders))
      if (typeof taken === 'string') tally.skip(taken, file.path)
      else noteTaken(importing, file, taken)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      tally.skip('unreadable', file.path, error)
    }
  }
  progress.add(clip ? 2 : 1, bytes)
}

/** Records and counts a file, and its clip as part of it or as a separate file. */
function noteTaken(
  { known, tally }: Importing,
  { clip, ...file }: TreeFile,
  { hash, clipHash, result }: Exclude<ImportResult, string>,
): void {
  const { separateClip } = result
  const count = (taken: StoredUpload, { path }: TreeFile, bytes: number) => {
    if ('file' in taken) tally.add(bytes)
    else tally.alreadyThere++
    if ('file' in taken && taken.file.incomplete === 1) tally.incomplete.push(path)
  }
  known.remember(file, { hash, mediaId: mediaIdOf(result) })
  if (clip && separateClip && clipHash !== undefined) {
    known.remember(clip, { hash: clipHash, mediaId: mediaIdOf(separateClip) })
    count(result, file, file.size)
    count(separateClip, clip, clip.size)
    return
  }
  if (clip) known.remember(clip, { hash, mediaId: mediaIdOf(result) })
  count(result, file, file.size + (clip?.size ?? 0))
}

/** Walks the tree once before the import, to estimate the remaining time. */
async function measure(tree: ReturnType<typeof walk>): Promise<Work> {
  const total: Work = { files: 0, bytes: 0 }
  for await (const found of tree) {
    if (!('file' in found)) continue
    for (const file of [found.file, found.file.clip]) {
      if (!file) continue
      total.files++
      total.bytes += file.size
    }
  }
  return total
}

async function placeOf(wanted: string, dataFolder: string): Promise<string> {
  const folder = await realPath(wanted)
  const isFolder = await stat(folder).then(
    found => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new CommandError(`${wanted} is not a folder.`)
  if (isWithin(folder, await realPath(dataFolder))) {
    throw new CommandError(`${wanted} is part of the library itself, and cannot be imported into it.`)
  }
  return folder
}
