import type { Handle } from '../db/schema.ts'

export interface ActivityFilter {
  limit: number
  before: number | undefined
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
    .select(({ fn }) => fn.coalesce('media.original_name', 'folders.name', 'person.name').as('subject_name'))
  const { before, personId, mediaId } = filter
  if (before !== undefined) query = query.where('audit_log.id', '<', before)
  if (personId !== undefined) query = query.where('audit_log.actor_id', '=', personId)
  if (mediaId !== undefined)
    query = query.where('audit_log.subject_type', '=', 'media').where('audit_log.subject_id', '=', mediaId)
  return query.orderBy('audit_log.id', 'desc').limit(filter.limit).execute()
}
