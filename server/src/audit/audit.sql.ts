import type { AuditAct } from '#contract/admin.ts'
import type { Tx } from '../db/schema.ts'

export interface AuditLine {
  at: number
  /** Null for what the product did by itself. */
  actorId: number | null
  act: AuditAct
  subject: { type: string; id: number }
  /** What was there before. */
  before?: unknown
}

/** Both engines bound the number of values in one statement, and a whole library can be moved by one act. */
const LINES_AT_ONCE = 1_000

export async function insertAuditLines(tx: Tx, lines: AuditLine[]): Promise<void> {
  const rows = lines.map(line => ({
    at: line.at,
    actor_id: line.actorId,
    act: line.act,
    subject_type: line.subject.type,
    subject_id: line.subject.id,
    before: line.before === undefined ? null : JSON.stringify(line.before),
  }))
  for (let at = 0; at < rows.length; at += LINES_AT_ONCE) {
    await tx
      .insertInto('audit')
      .values(rows.slice(at, at + LINES_AT_ONCE))
      .execute()
  }
}
