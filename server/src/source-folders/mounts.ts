import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import { openRoot } from './paths.ts'
import { deleteReportsBefore, mountReports, upsertReport } from './reports.sql.ts'

export interface MountDeps {
  db: Database
  clock: Clock
  config: { libraryFolders: readonly string[]; port: number }
  log: { error(context: object, message: string): void }
}

const EVERY_MS = 60_000
/** What a server that has ended said is of no interest. */
const VALID_MS = 3 * EVERY_MS

/** Says every minute which watched folders this server can see: originals are served by every one of several servers. */
export function reportMounts(app: FastifyInstance, { db, clock, config, log }: MountDeps): void {
  if (config.libraryFolders.length === 0) return
  const server = `${hostname()}:${config.port}`
  async function report(): Promise<void> {
    for (const folder of config.libraryFolders) {
      const there = (await openRoot(folder).catch(() => undefined)) !== undefined
      if (!there) log.error({ folder }, 'a watched folder is not there')
      await upsertReport(db.query, { folder, server, report: JSON.stringify(there), reported_at: clock() })
    }
    await deleteReportsBefore(db.query, clock() - 24 * 60 * EVERY_MS)
  }
  const act = () => void report().catch(error => log.error({ err: error }, 'the watched folders could not be checked'))
  const timer = setInterval(act, EVERY_MS)
  app.addHook('onReady', async () => act())
  app.addHook('onClose', async () => clearInterval(timer))
}

/** The servers that cannot see a folder now. */
export async function serversWithout(
  { db, clock }: Pick<MountDeps, 'db' | 'clock'>,
  folder: string,
): Promise<string[]> {
  const reports = await mountReports(db.query, folder, clock() - VALID_MS)
  return reports.flatMap(({ server, report }) => (JSON.parse(report) === true ? [] : server))
}
