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
  /** Of an act on several files, which the change knows. */
  changeId?: number
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
    change_id: line.changeId ?? null,
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
    .leftJoin('changes', 'changes.id', 'audit_log.change_id')
    // Of the file that is asked for.
    .leftJoin('change_files', join =>
      join
        .onRef('change_files.change_id', '=', 'audit_log.change_id')
        .on('change_files.media_id', '=', filter.mediaId ?? null),
    )
    .leftJoin('media', join =>
      join
        .on(({ eb, ref, fn }) =>
          eb('media.id', '=', fn.coalesce(ref('change_files.media_id'), ref('audit_log.subject_id'))),
        )
        .on('audit_log.subject_type', '=', 'media'),
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
      'audit_log.before',
      'changes.files',
      'changes.videos',
      'changes.undone',
      'actor.id as actor_id',
      'actor.username as actor_username',
      'actor.name as actor_name',
    ])
    .select(({ fn }) => [
      fn.coalesce('change_files.media_id', 'audit_log.subject_id').as('subject_id'),
      fn.coalesce('media.original_name', 'folders.name', 'albums.title', 'person.name').as('subject_name'),
      'change_files.before as file_before',
    ])
  const { personId, mediaId } = filter
  if (personId !== undefined) query = query.where('audit_log.actor_id', '=', personId)
  if (mediaId !== undefined) query = query.where('audit_log.id', 'in', linesAbout(handle, mediaId))
  return newestFirst(query, 'audit_log.id', filter).execute()
}

/** About a file alone, or about several of which it is one. */
function linesAbout(handle: Handle, mediaId: number) {
  const alone = handle
    .selectFrom('audit_log')
    .select('audit_log.id')
    .where('subject_type', '=', 'media')
    .where('subject_id', '=', mediaId)
    .where('change_id', 'is', null)
  return alone.unionAll(filesOfLines(handle).select('audit_log.id').where('media_id', '=', mediaId))
}

/** The files of acts on several; of an undo only those for which it worked. */
function filesOfLines(handle: Handle) {
  return handle
    .selectFrom('audit_log')
    .innerJoin('change_files', 'change_files.change_id', 'audit_log.change_id')
    .where(eb => eb.or([eb('action', '<>', UNDO), eb('undone_at', 'is not', null)]))
}

const UNDO: AuditAct = 'media.undo'

export async function filesOfLine(handle: Handle, id: number, { limit, after }: { limit: number; after?: number }) {
  return filesOfLines(handle)
    .leftJoin('media', 'media.id', 'media_id')
    .select(['change_files.id', 'media_id', 'original_name as name', 'change_files.before'])
    .where('audit_log.id', '=', id)
    .$if(after !== undefined, query => query.where('change_files.id', '>', after ?? 0))
    .orderBy('change_files.id')
    .limit(limit)
    .execute()
}
