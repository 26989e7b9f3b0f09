import type { AuditAct } from '#contract/admin.ts'
import type { Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

export interface AuditLine {
  at: number
  /** Null for what the product did by itself. */
  actorId: number | null
  act: AuditAct
  subject: { type: string; id: number }
  /** What was there before. */
  before?: unknown
}

/** A whole library can be moved by one act. */
export async function insertAuditLines(tx: Tx, lines: AuditLine[]): Promise<void> {
  const rows = lines.map(line => ({
    created_at: line.at,
    actor_id: line.actorId,
    action: line.act,
    subject_type: line.subject.type,
    subject_id: line.subject.id,
    before: line.before === undefined ? null : JSON.stringify(line.before),
  }))
  for (const some of inChunks(rows)) await tx.insertInto('audit_log').values(some).execute()
}
