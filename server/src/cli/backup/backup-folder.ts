import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { FolderInUse, lockFolder } from '../../db/sqlite/folder-lock.ts'
import { pathBelow, removeFolder, rootFolder, type SafeName, type SafePath, safeName } from '../../kit/safe-path.ts'
import { syncFolder } from '../../storage/local/durable-files.ts'
import type { LocalStorage } from '../../storage/local/local-storage.ts'
import { openBareStorage } from '../bare-storage.ts'
import { CommandError } from '../command.ts'

const Problem = z.object({
  key: z.string(),
  name: z.string().nullable(),
  problem: z.enum(['damaged', 'missing']),
})
export type Problem = z.infer<typeof Problem>

/** The manifest of a snapshot. Written last: a snapshot without one is incomplete. */
const Manifest = z.object({
  format: z.literal(1),
  library: z.string(),
  takenAt: z.iso.datetime(),
  /** The migrations that the schema had run. */
  schema: z.array(z.string()).min(1),
  rows: z.record(z.string(), z.number()),
  databaseHash: z.string(),
  filesHash: z.string(),
  files: z.number(),
  bytes: z.number(),
  withVariants: z.boolean(),
  problems: z.array(Problem),
})
export type Manifest = z.infer<typeof Manifest>

/** The paths of one snapshot's files. */
export interface SnapshotPaths {
  folder: SafePath
  database: SafePath
  files: SafePath
}

/** A folder that stores every original once, and database snapshots that refer to them. */
export interface BackupFolder {
  /** Intact files, under the same keys as in the library. */
  files: LocalStorage
  /** Files that were already corrupted when they were first backed up: better than nothing. */
  damaged: LocalStorage
  /** The names of finished snapshots, newest first. */
  snapshots(): Promise<string[]>
  pathsOf(snapshot: string): SnapshotPaths
  manifestOf(snapshot: string): Promise<Manifest>
  /** An empty folder for a new snapshot; removes an unfinished one. */
  begin(): Promise<SnapshotPaths>
  /** Publishes the snapshot atomically, by renaming its folder. */
  finish(manifest: Manifest): Promise<string>
  /** Removes all but the newest snapshots; the files that only they refer to are kept. */
  forgetOldSnapshots(): Promise<void>
  close(): void
}

const KEPT_SNAPSHOTS = 10
const MARKER = 'heirloom-backup.json'
const UNFINISHED = '.unfinished'
const SNAPSHOT_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d{1,9})?Z$/

const Marker = z.object({ format: z.literal(1), library: z.string() })

/** Opens the folder of an earlier backup of this library, or initialises an empty or missing folder. */
export async function openForBackup(folder: string, library: string): Promise<BackupFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const marker = await readMarker(folder)
  if (!marker && (await readdir(folder)).length > 0) {
    throw new CommandError(
      `${folder} holds other things and no backup. Please give an empty folder, or one to be made.`,
    )
  }
  if (marker && marker.library !== library) {
    throw new CommandError(`${folder} is the backup of another library. Please give each library a folder of its own.`)
  }
  if (!marker) {
    await writeSynced(pathBelow(rootFolder(folder), 'READ ME.txt'), EXPLANATION)
    await writeSynced(pathBelow(rootFolder(folder), MARKER), `${JSON.stringify({ format: 1, library })}\n`)
  }
  const unlock = lockBackup(folder)
  try {
    const opened = await openFolder(folder, unlock)
    await opened.files.removeUnfinished(new Date())
    await opened.damaged.removeUnfinished(new Date())
    return opened
  } catch (error) {
    unlock()
    throw error
  }
}

/** Takes no lock: the backup may be on a read-only disk, and finished snapshots are immutable. */
export async function openForRestore(folder: string): Promise<BackupFolder> {
  if (!(await readMarker(folder))) throw new CommandError(`${folder} is not the folder of a backup.`)
  return openFolder(folder, () => {})
}

async function openFolder(folder: string, close: () => void): Promise<BackupFolder> {
  const root = rootFolder(folder)
  const snapshots = pathBelow(root, 'snapshots')
  const pathsOf = (name: string): SnapshotPaths => {
    const own = pathBelow(snapshots, parseSnapshotName(name))
    return { folder: own, database: pathBelow(own, 'database.jsonl.gz'), files: pathBelow(own, 'files.jsonl.gz') }
  }
  const manifestPath = (name: string) => pathBelow(pathsOf(name).folder, 'manifest.json')
  await mkdir(snapshots, { recursive: true, mode: 0o700 })

  const backup: BackupFolder = {
    files: await openBareStorage(pathBelow(root, 'files')),
    damaged: await openBareStorage(pathBelow(root, 'damaged')),
    async snapshots() {
      const names = await readdir(snapshots)
      return names
        .filter(name => SNAPSHOT_NAME.test(name))
        .sort()
        .reverse()
    },
    pathsOf,
    async manifestOf(name) {
      return Manifest.parse(JSON.parse(await readFile(manifestPath(name), 'utf8')))
    },
    async begin() {
      const paths = pathsOf(UNFINISHED)
      await removeFolder(paths.folder)
      await mkdir(paths.folder, { mode: 0o700 })
      return paths
    },
    async finish(manifest) {
      await writeSynced(manifestPath(UNFINISHED), `${JSON.stringify(manifest, null, 2)}\n`)
      await syncFolder(pathsOf(UNFINISHED).folder)
      // No colons: some file systems of backup disks do not allow them in names.
      const name = manifest.takenAt.replaceAll(':', '-')
      await rename(pathsOf(UNFINISHED).folder, pathsOf(name).folder)
      await syncFolder(snapshots)
      return name
    },
    async forgetOldSnapshots() {
      for (const name of (await backup.snapshots()).slice(KEPT_SNAPSHOTS)) {
        await removeFolder(pathsOf(name).folder)
      }
    },
    close,
  }
  return backup
}

/** The time of the snapshot, without colons; or the name of the unfinished one. */
function parseSnapshotName(text: string): SafeName {
  if (text !== UNFINISHED && !SNAPSHOT_NAME.test(text)) throw new CommandError(`${text} is not the name of a snapshot.`)
  return safeName(text)
}

function lockBackup(folder: string): () => void {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new CommandError(`Another backup into ${folder} is at work.`, { cause: error })
  }
}

async function readMarker(folder: string): Promise<z.infer<typeof Marker> | undefined> {
  const text = await readFile(pathBelow(rootFolder(folder), MARKER), 'utf8').catch(error => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  return text === undefined ? undefined : Marker.parse(JSON.parse(text))
}

async function writeSynced(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flush: true })
}

const EXPLANATION = `This folder is a backup of a Heirloom library.

files/originals   every photo and video as it was uploaded, by year and month: any program opens them
snapshots         the newest states of the database: who, which folder, which name
damaged           files that had already lost their original content when they were first backed up

To bring the library back on an empty machine: npm run restore -- THIS-FOLDER
`
