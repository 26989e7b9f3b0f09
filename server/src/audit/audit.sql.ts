import type { AuditAct } from '#contract/audit.ts'
import { newestFirst, type PageBefore } from '../db/newest-first.ts'
import type { Handle, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

export interface AuditLine {
  at: number
  /** Null for actions of the server itself. */
  actorId: number | null
  act: AuditAct
  subject: { type: string; id: number }
  /** The changed values before the action. */
  before?: unknown
}

/** In chunks, because one action can affect the whole library. */
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

export interface ActivityFilter extends PageBefore {
  personId: number | undefined
  mediaId: number | undefined
}

export async function activity(handle: Handle, filter: ActivityFilter) {
  let query = handle
    .selectFrom('audit_log')
    .leftJoin('people as actor', 'actor.id', 'audit_log.actor_id')
    .leftJoin('media', join =>
      join.onRef('media.id', '=', 'audit_log.subject_id').on('audit_log.subject_type', '=', 'media'),
    )
    .leftJoin('folders', join =>
      join.onRef('folders.id', '=', 'audit_log.subject_id').on('audit_log.subject_type', '=', 'folder'),
    )
    .leftJoin('albums', join =>
      join.onRef('albums.id', '=', 'audit_log.subject_id').on('audit_log.subject_type', '=', 'album'),
    )
    .leftJoin('people as person', join =>
      join.onRef('person.id', '=', 'audit_log.subject_id').on('audit_log.subject_type', '=', 'person'),
    )
    .select([
      'audit_log.id',
      'audit_log.created_at as at',
      'audit_log.action as act',
      'audit_log.subject_type',
      'audit_log.subject_id',
      'audit_log.before',
      'actor.id as actor_id',
      'actor.username as actor_username',
      'actor.name as actor_name',
    ])
    .select(({ fn }) =>
      fn.coalesce('media.original_name', 'folders.name', 'albums.title', 'person.name').as('subject_name'),
    )
  const { personId, mediaId } = filter
  if (personId !== undefined) query = query.where('audit_log.actor_id', '=', personId)
  if (mediaId !== undefined)
    query = query.where('audit_log.subject_type', '=', 'media').where('audit_log.subject_id', '=', mediaId)
  return newestFirst(query, 'audit_log.id', filter).execute()
}
