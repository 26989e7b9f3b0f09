import { hostname } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import type { LastBackup } from '#contract/admin.ts'
import type { Config } from '../../config.ts'
import { openSnapshot, type Snapshot } from '../../db/snapshot.sql.ts'
import { libraryId } from '../../export/library-id.sql.ts'
import { restrictFolders } from '../../file-access.ts'
import { toIso } from '../../kit/clock.ts'
import { LAST_BACKUP } from '../../metrics/overview.sql.ts'
import { withOriginalsOf } from '../bare-storage.ts'
import { type Call, CommandError, isFullDisk } from '../command.ts'
import { outsideLibrary } from '../paths.ts'
import { showProgress } from '../progress.ts'
import { type BackupFolder, type Manifest, openForBackup, type Problem } from './backup-folder.ts'
import { type CopyDeps, copyFiles } from './copy-files.ts'
import { writeDump } from './database-dump.ts'
import { type FilesList, readFilesList, writeFilesList } from './files-list.sql.ts'
import { recordInLibrary } from './record-backup.sql.ts'

export interface BackupOptions {
  folder: string
  withVariants: boolean
  /** Also the originals of watched folders. */
  withWatched?: boolean
  verify: boolean
}

export interface BackupReport {
  snapshot: string
  files: number
  bytes: number
  copied: number
  copiedBytes: number
  problems: Problem[]
  /** Originals of watched folders, in the backup or left out. */
  watched: number
  withWatched: boolean
}

type CommandContext = Pick<Call, 'config' | 'clock' | 'out' | 'signal'>

/** How often the database snapshot may be retried because files were purged during the copy. */
const MOST_TRIES = 5

/** Backs up a library that may be in use. An earlier backup is not changed before the new one is complete. */
export async function backUp(context: CommandContext, options: BackupOptions): Promise<BackupReport> {
  const { config } = context
  const folder = await outsideLibrary(options.folder, config, 'backup')
  const backup = await openForBackup(folder, await idOfLibrary(config))
  const ownFolders = [folder, ...['files', 'damaged', 'snapshots'].map(name => join(folder, name))]
  restrictFolders(ownFolders, { warn: sentence => context.out.write(`${sentence}\n`) })
  try {
    return await withOriginalsOf(config, library => untilNothingVanishes(context, options, { backup, library }))
  } catch (error) {
    throw isFullDisk(error) ? noRoom(folder, error) : error
  } finally {
    backup.close()
  }
}

/**
 * Takes the database snapshot first and then copies the files that it lists: originals are immutable, so both stay
 * consistent. Only a purge can remove a file in between; then a new snapshot no longer lists it.
 */
async function untilNothingVanishes(
  context: CommandContext,
  options: BackupOptions,
  between: Pick<CopyDeps, 'backup' | 'library'>,
): Promise<BackupReport> {
  const total = { copied: 0, copiedBytes: 0 }
  const missing = new Set<string>()
  for (let tries = 1; ; tries++) {
    const takenAt = toIso(context.clock())
    const taken = await snapshotDatabase(context.config, between.backup, options)
    const progress = showProgress(context.out, 'Backing up', {
      files: taken.files.count,
      bytes: taken.files.bytes,
    })
    const { problems, ...copied } = await copyFiles(
      { ...between, verify: options.verify && tries === 1, progress, signal: context.signal },
      readFilesList(taken.paths.files),
    )
    progress.end()
    total.copied += copied.copied
    total.copiedBytes += copied.copiedBytes
    const vanished = problems.filter(({ problem, key }) => problem === 'missing' && !missing.has(key))
    if (vanished.length > 0 && tries < MOST_TRIES) {
      for (const { key } of vanished) missing.add(key)
      continue
    }
    const snapshot = await between.backup.finish({ ...taken.manifest, takenAt, problems })
    await between.backup.forgetOldSnapshots()
    const { count: files, bytes } = taken.files
    const where = { folder: options.folder, machine: hostname() }
    await recordBackup(context, { at: takenAt, files, bytes, problems: problems.length, ...where })
    const { watched } = taken.files
    return { snapshot, files, bytes, ...total, problems, watched, withWatched: options.withWatched ?? true }
  }
}

/** The backup is complete by now, so a database that only allows reading is no failure. */
async function recordBackup({ config, out }: CommandContext, backup: z.infer<typeof LastBackup>): Promise<void> {
  try {
    await recordInLibrary(config, { name: LAST_BACKUP, value: JSON.stringify(backup) })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    out.write(`The admin page will not show this backup, because the database cannot be written: ${why}\n`)
  }
}

interface DatabaseSnapshot {
  paths: { files: string }
  files: FilesList
  manifest: Omit<Manifest, 'takenAt' | 'problems'>
}

async function snapshotDatabase(
  config: Config,
  backup: BackupFolder,
  options: BackupOptions,
): Promise<DatabaseSnapshot> {
  const paths = await backup.begin()
  return withSnapshot(config, async snapshot => {
    const dump = await writeDump(snapshot, paths.database)
    const files = await writeFilesList(snapshot, paths.files, options)
    return {
      paths,
      files,
      manifest: {
        format: 1,
        library: await libraryId(snapshot),
        schema: dump.schema,
        rows: dump.rows,
        databaseHash: dump.hash,
        filesHash: files.hash,
        files: files.count,
        bytes: files.bytes,
        withVariants: options.withVariants,
      },
    }
  })
}

async function withSnapshot<T>(config: Config, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = await openSnapshot(config)
  try {
    return await work(snapshot)
  } finally {
    await snapshot.close()
  }
}

function idOfLibrary(config: Config): Promise<string> {
  return withSnapshot(config, async snapshot => {
    if ((await snapshot.tables()).length > 0) return libraryId(snapshot)
    throw new CommandError(`There is no library in ${config.dataFolder} yet, so there is nothing to back up.`)
  })
}

function noRoom(folder: string, cause: unknown): CommandError {
  return new CommandError(`There is no room left in ${folder}. The backups that were finished are as they were.`, {
    cause,
  })
}
