import type { Config } from '../../config.ts'
import { connect, type Database } from '../../db/database.ts'
import { refuseUnknownMigrations } from '../../db/migrate.ts'
import { lockFolder } from '../../db/sqlite/folder-lock.ts'
import { createQueue } from '../../jobs/queue.ts'
import { hashFile } from '../../processing/hash.ts'
import type { Storage } from '../../storage/storage.ts'
import {
  type BackupFolder,
  type Manifest,
  openForRestore,
  type Problem,
  type SnapshotPaths,
} from '../backup/backup-folder.ts'
import { readDump } from '../backup/database-dump.ts'
import { readFilesList } from '../backup/files-list.sql.ts'
import { withStorageOf } from '../bare-storage.ts'
import { type Call, CommandError, noopLog } from '../command.ts'
import { inCount, showProgress } from '../progress.ts'
import { clearDatabase, inspectDatabase } from './empty-database.sql.ts'
import { finishRestore, loadDump } from './load-dump.sql.ts'
import { repairRows } from './repair-rows.ts'
import { type FileProblem, restoreFiles } from './restore-files.ts'

export interface RestoreOptions {
  folder: string
  /** Default: the newest. */
  snapshot: string | undefined
}

export interface RestoreReport {
  takenAt: string
  files: number
  bytes: number
  problems: Problem[]
  /** Files whose variants are regenerated. */
  toPrepare: number
}

type CommandContext = Pick<Call, 'config' | 'clock' | 'out' | 'signal'>

/** Copies files first, then loads the database in one transaction: until it commits, the library is empty. */
export async function restore(context: CommandContext, options: RestoreOptions): Promise<RestoreReport> {
  const { config } = context
  const chosen = await chooseSnapshot(options.folder, options.snapshot)
  const unlock = lockFolder(config.dataFolder)
  try {
    const found = await inspectDatabase(config, chosen.name)
    if (found === 'in use') {
      throw new CommandError(
        'There is a library here already. A restore needs an empty DATA_DIR and an empty database.',
      )
    }
    return await withStorageOf(config, async library => {
      await refuseForeignFiles(library, chosen)
      const problems = await copyBack(context, chosen, library)
      if (found === 'empty') await loadDatabase(context, chosen)
      const toPrepare = await settle(context, library, problems)
      const { takenAt, files, bytes } = chosen.manifest
      return { takenAt, files, bytes, problems, toPrepare }
    })
  } finally {
    unlock()
  }
}

/** Files of an interrupted restore are fine; any other file means that the target is not empty. */
async function refuseForeignFiles(library: Storage, { paths }: Chosen): Promise<void> {
  const present = new Set<string>()
  for await (const { key } of library.list('')) present.add(key)
  if (present.size === 0) return
  for await (const file of readFilesList(paths.files)) present.delete(file.key)
  const [foreign] = present
  if (foreign === undefined) return
  throw new CommandError(`The place for the files is not empty: it holds ${foreign}, which is not of this backup.`)
}

async function copyBack({ out, signal }: CommandContext, chosen: Chosen, library: Storage): Promise<FileProblem[]> {
  const { backup, paths, manifest } = chosen
  const progress = showProgress(out, 'Bringing back', { files: manifest.files, bytes: manifest.bytes })
  const problems = await restoreFiles({ backup, library, progress, signal }, readFilesList(paths.files))
  progress.end()
  return problems
}

/** Loads into the schema of the backup, then runs the newer migrations. */
async function loadDatabase({ config, out, signal }: CommandContext, { name, paths, manifest }: Chosen): Promise<void> {
  signal.throwIfAborted()
  const wanted = Object.values(manifest.rows).reduce((sum, rows) => sum + rows, 0)
  out.write(`Loading ${inCount(wanted, 'row')} into the database.\n`)
  await clearDatabase(config)
  await withDatabase(config, manifest.schema.at(-1), db =>
    loadDump(db, { name, rows: manifest.rows }, () => readDump(paths.database)),
  )
}

async function settle(
  { config, clock, signal }: CommandContext,
  storage: Storage,
  problems: FileProblem[],
): Promise<number> {
  return withDatabase(config, undefined, async db => {
    // Never started here: the server will run the jobs.
    const queue = createQueue(db, clock, noopLog)
    const toPrepare = await repairRows({ db, storage, queue, clock }, problems, signal)
    await finishRestore(db)
    return toPrepare
  })
}

async function withDatabase<T>(
  { databaseUrl, dataFolder }: Config,
  schemaUpTo: string | undefined,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await connect({
    url: databaseUrl,
    dataFolder,
    snapshot: false,
    ...(schemaUpTo === undefined ? {} : { schemaUpTo }),
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** A verified snapshot that this version can read. */
export interface Chosen {
  backup: BackupFolder
  name: string
  paths: SnapshotPaths
  manifest: Manifest
}

async function chooseSnapshot(folder: string, wanted: string | undefined): Promise<Chosen> {
  const backup = await openForRestore(folder)
  const names = await backup.snapshots()
  const name = wanted ?? names[0]
  if (!name) throw new CommandError(`No backup into ${folder} has ever been finished.`)
  const others = `There are: ${names.join(', ')}.`
  if (!names.includes(name)) throw new CommandError(`${folder} holds no snapshot ${name}. ${others}`)

  const manifest = await backup.manifestOf(name)
  refuseUnknownMigrations(manifest.schema, 'backup')
  const paths = backup.pathsOf(name)
  const whole =
    (await hashFile(paths.database)) === manifest.databaseHash && (await hashFile(paths.files)) === manifest.filesHash
  if (!whole) throw new CommandError(`The snapshot ${name} is damaged. Choose another with --snapshot. ${others}`)
  return { backup, name, paths, manifest }
}
