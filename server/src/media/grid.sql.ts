import type { Database } from '../db/database.ts'
import { inOrder, type ListFilter, type ListPage, selectPage } from './list.sql.ts'
import type { SearchPlan } from './search.sql.ts'

export type GridRow = Awaited<ReturnType<typeof selectGrid>>[number]

/** What tiles show of a page of files, with the keys of their two smallest pictures. */
export async function selectGrid(db: Database, filter: ListFilter, page: ListPage, plan: SearchPlan | undefined) {
  return selectPage(db, filter, page, plan, (_, chosen, order) => {
    const ids = db.query.selectFrom(chosen.as('chosen')).select('chosen.id')
    const files = inOrder(db.query.selectFrom('media').where('id', 'in', ids), order)
    return files
      .leftJoin('media_parts as thumbnail', join =>
        join.onRef('thumbnail.media_id', '=', 'media.id').on('thumbnail.kind', '=', 'thumbnail'),
      )
      .leftJoin('media_parts as mobile', join =>
        join.onRef('mobile.media_id', '=', 'media.id').on('mobile.kind', '=', 'mobile'),
      )
      .select([
        'media.id',
        'original_name',
        'file_type',
        'file_size',
        'day',
        'proportion',
        'thumbhash',
        'duration',
        'location',
        'motion_part',
        'animated',
        'partly_damaged',
        'status',
        'progress',
        'failure_reason',
        'thumbnail.key as thumbnail_key',
        'mobile.key as mobile_key',
      ])
      .execute()
  })
}
