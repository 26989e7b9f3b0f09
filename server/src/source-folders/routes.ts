import type { FastifyInstance } from 'fastify'
import { InboxReport, type SourceFolders, sourceFolders } from '#contract/source-folders.ts'
import type { Handle } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import { serve } from '../kit/serve.ts'
import { findReport } from './reports.sql.ts'

export interface SourceFolderRouteDeps {
  db: { query: Handle }
  config: { inboxFolder: string | undefined }
}

export function sourceFolderRoutes(app: FastifyInstance, deps: SourceFolderRouteDeps): void {
  serve(app, sourceFolders, async () => ({ inbox: await presentInbox(deps) }))
}

async function presentInbox({ db, config }: SourceFolderRouteDeps): Promise<SourceFolders['inbox']> {
  const { inboxFolder: folder } = config
  const row = folder === undefined ? undefined : await findReport(db.query, folder)
  if (folder === undefined || !row) return null
  return { ...InboxReport.parse(JSON.parse(row.report)), folder, checked_at: toIso(row.reported_at) }
}
