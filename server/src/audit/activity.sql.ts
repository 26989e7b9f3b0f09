import type { Handle } from '../db/schema.ts'

export interface ActivityFilter {
  limit: number
  before: number | undefined
  personId: number | undefined
  mediaId: number | undefined
}

export async function activity(handle: Handle, filter: ActivityFilter) {
  let query = handle
    .selectFrom('audit')
    .leftJoin('people as actor', 'actor.id', 'audit.actor_id')
    .leftJoin('media', join => join.onRef('media.id', '=', 'audit.subject_id').on('audit.subject_type', '=', 'media'))
    .leftJoin('folders', join =>
      join.onRef('folders.id', '=', 'audit.subject_id').on('audit.subject_type', '=', 'folder'),
    )
    .leftJoin('people as person', join =>
      join.onRef('person.id', '=', 'audit.subject_id').on('audit.subject_type', '=', 'person'),
    )
    .select([
      'audit.id',
      'audit.at',
      'audit.act',
      'audit.subject_type',
      'audit.subject_id',
      'audit.before',
      'actor.id as actor_id',
      'actor.username as actor_username',
      'actor.name as actor_name',
    ])
    .select(({ fn }) => fn.coalesce('media.original_name', 'folders.name', 'person.name').as('subject_name'))
  const { before, personId, mediaId } = filter
  if (before !== undefined) query = query.where('audit.id', '<', before)
  if (personId !== undefined) query = query.where('audit.actor_id', '=', personId)
  if (mediaId !== undefined)
    query = query.where('audit.subject_type', '=', 'media').where('audit.subject_id', '=', mediaId)
  return query.orderBy('audit.id', 'desc').limit(filter.limit).execute()
}
