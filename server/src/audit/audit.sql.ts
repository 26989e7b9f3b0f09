import type { Tx } from '../db/schema.ts'

export interface AuditLine {
  at: number
  /** Null for what the product did by itself. */
  actorId: number | null
  act: string
  subject: { type: string; id: number }
  /** What was there before. */
  before?: unknown
}

export async function insertAuditLines(tx: Tx, lines: AuditLine[]): Promise<void> {
  if (lines.length === 0) return
  await tx
    .insertInto('audit')
    .values(
      lines.map(line => ({
        at: line.at,
        actor_id: line.actorId,
        act: line.act,
        subject_type: line.subject.type,
        subject_id: line.subject.id,
        before: line.before === undefined ? null : JSON.stringify(line.before),
      })),
    )
    .execute()
}
