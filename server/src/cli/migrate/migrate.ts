import type { Config } from '../../config.ts'
import { connect } from '../../db/database.ts'
import { refuseUnknownMigrations } from '../../db/migrate.ts'
import { openSnapshot, type Snapshot } from '../../db/snapshot.sql.ts'
import { lockFolder } from '../../db/sqlite/folder-lock.ts'
import { libraryId } from '../../export/library-id.sql.ts'
import { WATCHED } from '../../storage/keys.ts'

import type { Storage } from '../../storage/storage.ts'
import type { Problem } from '../backup/backup-folder.ts'
import { migrationsOf, rowsOf } from '../backup/database-dump.ts'
import { canBeMadeAgain, filesOf, type ListedFile } from '../backup/files-list.sql.ts'
import { findTransferred, transfer, transferAsItIs } from '../backup/transfer.ts'
import { withStorageOf } from '../bare-storage.ts'
import { type Call, CommandError } from '../command.ts'
import { inParallel } from '../in-parallel.ts'
import { inCount, showProgress } from '../progress.ts'
import { clearDatabase, inspectDatabase } from '../restore/empty-database.sql.ts'
import { finishRestore, loadDump } from '../restore/load-dump.sql.ts'
import { countRows, measureFiles, refuseWhileAtWork } from './source.sql.ts'

export interface MigrationReport {
  files: number
  bytes: number
  /** Files copied by this run. */
  copied: number
  rows: number
  problems: Problem[]
}

type CommandContext = Pick<Call, 'config' | 'out' | 'signal'>

const AT_ONCE = 4

/** Copies files first, then all rows in one transaction: until it commits, the target is an empty library. */
export async function migrate(
  context: CommandContext,
  target: Config,
  { verify }: { verify: boolean },
): Promise<MigrationReport> {
  const { config: source } = context
  refuseSamePlace(source, target)
  const unlock = lockFolders([source, target])
  try {
    return await withSnapshotOf(source, async snapshot => {
      await refuseWhileAtWork(snapshot, Date.now())
      const name = `migration of ${await libraryId(snapshot)}`
      const found = await inspectDatabase(target, name)
      if (found === 'in use') throw new CommandError('There is a library in the new place already. It must be empty.')
      const files = await withStorageOf(source, from =>
        withStorageOf(target, to => copyFiles(context, snapshot, { from, to, verify })),
      )
      const rows = await copyRows(context, snapshot, target, { name, isThere: found === 'half restored' })
      return { ...files, rows }
    })
  } finally {
    unlock()
  }
}

function refuseSamePlace(source: Config, target: Config): void {
  const folderCounts = !source.databaseUrl || !source.s3 || !target.databaseUrl || !target.s3
  if (folderCounts && source.dataFolder === target.dataFolder) {
    throw new CommandError('The new place needs a DATA_DIR of its own, so that the old library stays as it is.')
  }
  if (source.databaseUrl && source.databaseUrl === target.databaseUrl) {
    throw new CommandError('DATABASE_URL is that of the old library. The new place needs a database of its own.')
  }
}

/** A running server holds the lock of its folder, so this fails while one uses either library. */
function lockFolders(places: Config[]): () => void {
  const locks: (() => void)[] = []
  try {
    for (const folder of new Set(places.map(place => place.dataFolder))) locks.push(lockFolder(folder))
  } catch (error) {
    for (const unlock of locks) unlock()
    throw error
  }
  return () => {
    for (const unlock of locks) unlock()
  }
}

async function withSnapshotOf<T>(config: Config, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = await openSnapshot(config)
  try {
    if ((await snapshot.tables()).length === 0) throw new CommandError('There is no library here yet.')
    return await work(snapshot)
  } finally {
    await snapshot.close()
  }
}

interface Between {
  from: Storage
  to: Storage
  verify: boolean
}

async function copyFiles(
  { out, signal }: CommandContext,
  snapshot: Snapshot,
  between: Between,
): Promise<Omit<MigrationReport, 'rows'>> {
  const total = await measureFiles(snapshot)
  const report = { ...total, copied: 0, problems: [] as Problem[] }
  const progress = showProgress(out, 'Moving', total)
  await inParallel(eachFile(snapshot), AT_ONCE, async file => {
    signal.throwIfAborted()
    const moved = await move(file, between, signal)
    if (moved === 'copied') report.copied += 1
    else if (moved !== 'there' && !canBeMadeAgain(file.kind)) {
      report.problems.push({ key: file.key, name: file.name, problem: moved })
    }
    progress.add(1, file.size ?? 0)
  })
  progress.end()
  return report
}

async function* eachFile(snapshot: Snapshot): AsyncGenerator<ListedFile> {
  for await (const batch of filesOf(snapshot)) yield* batch
}

/** Verifies the hash while copying. Objects appear atomically, so one with the right size was already copied. */
async function move(
  file: ListedFile,
  { from, to, verify }: Between,
  signal: AbortSignal,
): Promise<'copied' | 'there' | Problem['problem']> {
  // The originals of watched folders stay there; the new library has the same LIBRARY_DIRS.
  if (file.key.startsWith(WATCHED) && !(await from.stat(file.key))) return 'there'
  const found = await findTransferred(to, file, { verify, signal })
  if (found === 'whole') return 'there'
  if (found === 'damaged') await to.remove([file.key])
  const outcome = await transfer(from, to, file, signal)
  if (outcome === 'whole') return 'copied'
  // A damaged file is better than none; the integrity check will mark it as damaged.
  if (outcome === 'damaged') await transferAsItIs(from, to, file.key, signal)
  return outcome
}

async function copyRows(
  { out, signal }: CommandContext,
  snapshot: Snapshot,
  target: Config,
  { name, isThere }: { name: string; isThere: boolean },
): Promise<number> {
  const rows = await countRows(snapshot)
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const steps = await migrationsOf(snapshot)
  refuseUnknownMigrations(steps, 'database')
  const schemaUpTo = steps.at(-1)
  const place = { url: target.databaseUrl, dataFolder: target.dataFolder, snapshot: false }
  if (!isThere) {
    out.write(`Moving ${inCount(total, 'row')}.\n`)
    signal.throwIfAborted()
    await clearDatabase(target)
    const db = await connect({ ...place, ...(schemaUpTo === undefined ? {} : { schemaUpTo }) })
    await loadDump(db, { name, rows }, () => rowsOf(snapshot)).finally(() => db.close())
  }
  await compareRows(target, rows)
  // Runs the migrations that are newer than the copied schema.
  const db = await connect(place)
  await finishRestore(db).finally(() => db.close())
  return total
}

/** Reads the row counts back from the target. */
async function compareRows(target: Config, expected: Record<string, number>): Promise<void> {
  const arrived = await withSnapshotOf(target, countRows)
  // One more row: the marker of an unfinished move.
  const wanted = { ...expected, settings: (expected.settings ?? 0) + 1 }
  for (const [table, rows] of Object.entries(wanted)) {
    if (arrived[table] !== rows) throw new CommandError(`Only ${arrived[table]} of ${rows} rows of ${table} arrived.`)
  }
}
