import type { FastifyInstance } from 'fastify'
import { InboxReport, type SourceFolders, scanWatchedFolders, sourceFolders } from '#contract/source-folders.ts'
import { toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { serve } from '../kit/serve.ts'
import { type MountDeps, reportMounts, serversWithout } from './mounts.ts'
import { findReport } from './reports.sql.ts'
import { enqueueScan, readWatchedReport } from './scan.ts'
import { countMissing } from './watched.sql.ts'

export interface SourceFolderRouteDeps extends MountDeps {
  config: MountDeps['config'] & { inboxFolder: string | undefined; role: string }
  queue: Parameters<typeof enqueueScan>[0]['queue']
}

export function sourceFolderRoutes(app: FastifyInstance, deps: SourceFolderRouteDeps): void {
  const { libraryFolders } = deps.config
  reportMounts(app, deps)

  serve(app, sourceFolders, async () => ({
    inbox: await presentInbox(deps),
    watched: await Promise.all(libraryFolders.map(folder => presentWatched(deps, folder))),
    missing: await countMissing(deps.db.query),
  }))

  serve(app, scanWatchedFolders, async ({ body: { accept_missing } }) => {
    if (libraryFolders.length === 0) throw new AppError('conflict', 'watched.none')
    if (accept_missing !== undefined && !libraryFolders.includes(accept_missing)) {
      throw new AppError('not_found', 'watched.unknown')
    }
    await enqueueScan(deps, { acceptMissing: accept_missing ?? null })
  })
}

async function presentInbox({ db, config }: SourceFolderRouteDeps): Promise<SourceFolders['inbox']> {
  const { inboxFolder: folder } = config
  const row = folder === undefined ? undefined : await findReport(db.query, folder)
  if (folder === undefined || !row) return null
  return { ...InboxReport.parse(JSON.parse(row.report)), folder, checked_at: toIso(row.reported_at) }
}

async function presentWatched(deps: SourceFolderRouteDeps, folder: string): Promise<SourceFolders['watched'][number]> {
  const { device, ...report } = await readWatchedReport(deps.db.query, folder)
  return { ...report, folder, without: await serversWithout(deps, folder) }
}
