import { closeSync, openSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { pathBelow, pathsIn, type RootFolder, removeFile, removeFolder, rootFolder } from '../../kit/safe-path.ts'
import type { Schema } from '../schema.ts'

/** Below the data folder. */
export const snapshotsFolder = 'before-migration'

/** Snapshots are kept for this many versions of the schema. */
const KEPT = 3
const UNFINISHED = '.unfinished'

/** The migration was not run, because the snapshot failed. */
export class SnapshotFailed extends Error {
  constructor(folder: string, cause: unknown) {
    const reason = isFull(cause) ? 'there is no room left' : (cause as Error).message
    super(
      `Before an upgrade changes the database, a copy of it is kept in ${folder}. That failed: ${reason}. The database is unchanged. Make room for a second copy of heirloom.db and start again, or start the version you had.`,
      { cause },
    )
    this.name = 'SnapshotFailed'
  }
}

/** Copies the database and syncs the copy to disk before a migration makes its first change. */
export async function snapshotBeforeMigration(db: Kysely<Schema>, dataFolder: string, lastStep: string): Promise<void> {
  const folder = pathBelow(rootFolder(resolve(dataFolder)), snapshotsFolder)
  // In a separate folder, because SQLite writes a journal next to the file, which the next attempt must not find.
  const unfinished = pathBelow(folder, UNFINISHED)
  const file = pathBelow(unfinished, 'heirloom.db')
  const name = `heirloom-${lastStep}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`
  try {
    await removeFolder(unfinished)
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    // SQLite accepts an empty file, and this one is readable by nobody else.
    closeSync(openSync(file, 'wx', 0o600))
    await sql`vacuum into ${file}`.execute(db)
    await sync(file)
    await rename(file, join(folder, name))
    await removeFolder(unfinished)
    await sync(folder)
    await sync(dataFolder)
  } catch (cause) {
    await removeFolder(unfinished).catch(() => undefined)
    throw new SnapshotFailed(folder, cause)
  }
  await removeOld(folder)
}

/**
 * One for each version of the schema: a migration that fails at every restart must not push out the snapshots of earlier
 * upgrades.
 */
async function removeOld(folder: RootFolder): Promise<void> {
  const snapshots = (await pathsIn(folder))
    .filter(path => SNAPSHOT.test(basename(path)))
    .sort((a, b) => (takenAt(a) < takenAt(b) ? 1 : -1))
  const kept = new Set<string>()
  for (const path of snapshots) {
    const step = SNAPSHOT.exec(basename(path))?.[1] ?? ''
    if (kept.has(step) || kept.size === KEPT) await removeFile(path)
    else kept.add(step)
  }
}

const SNAPSHOT = /^heirloom-(.+)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)\.db$/

function takenAt(path: string): string {
  return SNAPSHOT.exec(basename(path))?.[2] ?? ''
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const SQLITE_FULL = 13

function isFull(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL
}
