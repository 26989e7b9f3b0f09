import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { LastBackup, type LibraryOverview, libraryOverview } from '#contract/admin.ts'
import { DAY } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Handle } from '../db/schema.ts'
import { cachedResult } from '../kit/cached-result.ts'
import type { Clock } from '../kit/clock.ts'
import { serve } from '../kit/serve.ts'
import { countFiles } from './counts.sql.ts'
import { countAllJobs, readLastBackup, uploadsIn } from './overview.sql.ts'

export interface OverviewDeps {
  db: Database
  clock: Clock
  dataFolder: string
  /** Whether the files are in an S3 store. */
  inStore: boolean
  sandboxLevel: LibraryOverview['sandbox']
  ffmpeg: () => Promise<LibraryOverview['ffmpeg'] | undefined>
}

const SECOND = 1_000
const MONTHS = 12

/** Jobs that failed are kept for good, also those of files that are gone by now. */
const FAILED_JOBS_SHOWN = 30 * DAY

export const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

/** What an admin wants to know about the library. No request counts files or jobs: these results are shared for a while. */
export function overviewRoutes(app: FastifyInstance, deps: OverviewDeps): void {
  const { db, clock, dataFolder, inStore, sandboxLevel } = deps
  const months = cachedResult(() => uploadsByMonth(db, clock()), {
    success: 600 * SECOND,
    failure: 10 * SECOND,
    timeout: 60 * SECOND,
    clock,
  })
  const jobs = cachedResult(() => countAllJobs(db.query, clock() - FAILED_JOBS_SHOWN), {
    success: 10 * SECOND,
    failure: 10 * SECOND,
    timeout: 60 * SECOND,
    clock,
  })
  // A disk of the network that does not answer must not block this page.
  const disk = cachedResult(() => diskOf(dataFolder), {
    success: 10 * SECOND,
    failure: 60 * SECOND,
    timeout: 2 * SECOND,
    clock,
  })
  serve(app, libraryOverview, async () => {
    const [counts, byMonth, jobCounts, space, backup, ffmpeg] = await Promise.all([
      countFiles(db.query),
      months(),
      jobs(),
      disk().catch(() => null),
      lastBackup(db.query),
      // The warnings for admins say why there is none.
      deps.ffmpeg().catch(() => null),
    ])
    const of = (type: string) => counts.find(count => count.type === type)?.files ?? 0
    return {
      images: of('image'),
      videos: of('video'),
      bytes: counts.reduce((sum, count) => sum + count.bytes, 0),
      months: byMonth,
      jobs: jobCounts,
      last_backup: backup ?? null,
      disk: space,
      in_store: inStore,
      sandbox: sandboxLevel,
      ffmpeg: ffmpeg ? { version: ffmpeg.version, year: ffmpeg.year, origin: ffmpeg.origin } : null,
      version: String(version),
    }
  })
}

/** Of the last twelve months, the current one included, oldest first. */
async function uploadsByMonth(db: Database, now: number): Promise<LibraryOverview['months']> {
  const today = new Date(now)
  const startOf = (ago: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago)
  const periods = Array.from({ length: MONTHS }, (_, index) => {
    const ago = MONTHS - 1 - index
    return { from: startOf(ago), until: startOf(ago - 1) }
  })
  const sums = await uploadsIn(db.query, periods)
  return sums.map((sum, index) => ({ month: new Date(periods[index]?.from ?? 0).toISOString().slice(0, 7), ...sum }))
}

/** Undefined if the backup command has not run yet. */
export async function lastBackup(handle: Handle): Promise<LibraryOverview['last_backup'] | undefined> {
  const backup = await readLastBackup(handle)
  return backup === undefined ? undefined : LastBackup.parse(JSON.parse(backup))
}

/** What an ordinary user may still write, as `df` shows it. */
export async function diskOf(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
