import { type InboxFailure, InboxReport } from '#contract/source-folders.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import { isSetAside } from './moves.ts'
import { openRoot } from './paths.ts'
import { findReport, upsertReport } from './reports.sql.ts'

export interface InboxReporter {
  failed(failure: InboxFailure): void
  /** At the end of each poll. */
  end(result: Pick<InboxReport, 'state'> & Partial<Pick<InboxReport, 'problem' | 'waiting'>>): Promise<void>
}

const MOST_FAILURES = 100
/** An unchanged report is written no more often than this. */
const REPEAT_MS = 60_000

/** Keeps in the database what the admin page shows of the inbox folder. */
export function createInboxReport({ db, clock }: { db: Database; clock: Clock }, folder: string): InboxReporter {
  const added: InboxFailure[] = []
  return {
    failed: failure => void added.unshift(failure),
    async end({ state, problem = null, waiting = 0 }) {
      // Read again each time: another server may have written it.
      const row = await findReport(db.query, folder)
      const before = row && InboxReport.parse(JSON.parse(row.report))
      const root = await openRoot(folder)
      const failures = [...added, ...(before?.failures ?? [])].slice(0, MOST_FAILURES)
      const kept = await Promise.all(failures.map(({ name }) => root === undefined || isSetAside(root, name)))
      const report = JSON.stringify({ state, problem, waiting, failures: failures.filter((_, i) => kept[i]) })
      const now = clock()
      if (row && row.report === report && now - row.reported_at < REPEAT_MS) return
      await upsertReport(db.query, { folder, server: '', report, reported_at: now })
      added.length = 0
    },
  }
}
