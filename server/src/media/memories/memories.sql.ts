import { sql } from 'kysely'
import { rankOf } from '#contract/edtf.ts'
import { memories } from '#contract/limits.ts'
import type { Database } from '../../db/database.ts'
import type { Handle, Tx } from '../../db/schema.ts'

const screenshots = ['%screenshot%', '%screen shot%', '%screen recording%', '%screen_recording%', '%bildschirmfoto%']

/**
 * The one place that says which files of these days are memories for a person: ready, not hidden, one
 * of each second and camera, no screenshots. Files with hearts or notes stay in any case.
 */
function memoriesAmong(db: Database, personId: number, days: readonly number[]) {
  const name = sql<string>`lower(media.original_name)`
  const candidates = db.query
    .selectFrom('media')
    .select(['media.id', 'media.day', 'media.date_sort', 'media.file_type', 'media.location'])
    .select(({ selectFrom, fn }) => [
      selectFrom('hearts').select(fn.countAll<number>().as('count')).whereRef('media_id', '=', 'media.id').as('hearts'),
      selectFrom('comments')
        .select(fn.countAll<number>().as('count'))
        .whereRef('media_id', '=', 'media.id')
        .where('comments.deleted_at', 'is', null)
        .as('notes'),
      // Files without a time of day would all be of the same second.
      sql<number>`case when media.date_precision = 'day' then -media.id else media.date_sort / 1000 end`.as('second'),
      sql<string>`coalesce(media.camera, '')`.as('camera'),
      sql<number>`case when ${sql.join(
        screenshots.map(pattern => sql`${name} like ${pattern}`),
        sql` or `,
      )} then 1 else 0 end`.as('screenshot'),
    ])
    .where('media.deleted_at', 'is', null)
    .where('media.status', '=', 'ready')
    .where('media.day', 'in', days)
    .where('media.heading_rank', '=', rankOf('day'))
    .where(
      'media.day',
      'not in',
      db.query.selectFrom('hidden_memory_days').select('day').where('person_id', '=', personId),
    )
    .where(
      'media.id',
      'not in',
      db.query.selectFrom('hidden_memories').select('media_id').where('person_id', '=', personId),
    )
  const ranked = db.query
    .selectFrom(candidates.as('candidates'))
    .selectAll()
    .select(
      sql<number>`row_number() over (partition by day, second, camera, file_type order by hearts + notes desc, id)`.as(
        'copy',
      ),
    )
    .where(({ or, eb }) => or([eb('screenshot', '=', 0), eb('hearts', '>', 0), eb('notes', '>', 0)]))
  return db.query
    .selectFrom(ranked.as('ranked'))
    .where(({ or, eb }) => or([eb('copy', '=', 1), eb('hearts', '>', 0), eb('notes', '>', 0)]))
}

/** The ids of a person's memories of one day, for lists. */
export function idsOfMemory(db: Database, { personId, day }: { personId: number; day: number }) {
  return memoriesAmong(db, personId, [day]).select('id')
}

export interface MemoryRow {
  id: number
  day: number
  date_sort: number
  location: string | null
  /** How many the day has. */
  files: number
}

/** The best files of each day, best first. */
export async function selectMemories(
  db: Database,
  personId: number,
  days: readonly number[],
  perDay: number,
): Promise<MemoryRow[]> {
  if (days.length === 0) return []
  const numbered = memoriesAmong(db, personId, days)
    .select(['id', 'day', 'date_sort', 'location'])
    .select([
      sql<number>`count(*) over (partition by day)`.as('files'),
      sql<number>`row_number() over (partition by day order by hearts + notes desc, file_type, date_sort, id)`.as(
        'rank',
      ),
    ])
  return db.query
    .selectFrom(numbered.as('numbered'))
    .select(['id', 'day', 'date_sort', 'location', 'files'])
    .where('rank', '<=', perDay)
    .orderBy('day', 'desc')
    .orderBy('rank')
    .execute()
}

/** The days before this one that have files, in no order; of the stored counts. */
export async function selectDaysWithPhotos(db: Database, before: number): Promise<number[]> {
  const rows = await db.query
    .selectFrom('media_day_counts')
    .select('day')
    .distinct()
    .where('heading_rank', '=', rankOf('day'))
    .where('files', '>', 0)
    .where('day', '<', before)
    .execute()
  return rows.map(row => row.day)
}

export async function hideDay(tx: Tx, personId: number, day: number, at: number): Promise<void> {
  await tx
    .insertInto('hidden_memory_days')
    .values({ person_id: personId, day, hidden_at: at })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function showDay(tx: Tx, personId: number, day: number): Promise<void> {
  await tx.deleteFrom('hidden_memory_days').where('person_id', '=', personId).where('day', '=', day).execute()
}

export async function hideFile(tx: Tx, personId: number, mediaId: number, at: number): Promise<void> {
  await tx
    .insertInto('hidden_memories')
    .values({ person_id: personId, media_id: mediaId, hidden_at: at })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function showFile(tx: Tx, personId: number, mediaId: number): Promise<void> {
  await tx.deleteFrom('hidden_memories').where('person_id', '=', personId).where('media_id', '=', mediaId).execute()
}

/** The last hidden first. Files in the trash are left out. */
export async function selectHidden(handle: Handle, personId: number): Promise<{ days: number[]; files: number[] }> {
  const [days, files] = await Promise.all([
    handle
      .selectFrom('hidden_memory_days')
      .select('day')
      .where('person_id', '=', personId)
      .orderBy('hidden_at', 'desc')
      .orderBy('day', 'desc')
      .limit(memories.hidden)
      .execute(),
    handle
      .selectFrom('hidden_memories')
      .innerJoin('media', 'media.id', 'hidden_memories.media_id')
      .select('media_id')
      .where('person_id', '=', personId)
      .where('media.deleted_at', 'is', null)
      .orderBy('hidden_at', 'desc')
      .orderBy('media_id', 'desc')
      .limit(memories.hidden)
      .execute(),
  ])
  return { days: days.map(row => row.day), files: files.map(row => row.media_id) }
}

export async function countHidden(tx: Tx, personId: number): Promise<number> {
  const { days, files } = await tx
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('hidden_memory_days')
        .select(fn.countAll<number>().as('count'))
        .where('person_id', '=', personId)
        .as('days'),
      selectFrom('hidden_memories')
        .select(fn.countAll<number>().as('count'))
        .where('person_id', '=', personId)
        .as('files'),
    ])
    .executeTakeFirstOrThrow()
  return (days ?? 0) + (files ?? 0)
}

/** Approved people who want to be notified and have not been on this day. */
export async function peopleToNotify(handle: Handle, day: number): Promise<number[]> {
  const rows = await handle
    .selectFrom('wanted_notifications')
    .innerJoin('people', 'people.id', 'wanted_notifications.person_id')
    .leftJoin('visits', 'visits.person_id', 'people.id')
    .select('people.id')
    .where('kind', '=', 'memories')
    .where('people.status', '=', 'approved')
    .where(({ or, eb }) => or([eb('memories_notified_day', 'is', null), eb('memories_notified_day', '<', day)]))
    .orderBy('people.id')
    .execute()
  return rows.map(row => row.id)
}

/** False if the person has been notified on this day already, by this server or another one. */
export async function claimNotification(tx: Tx, personId: number, day: number): Promise<boolean> {
  const row = await tx
    .insertInto('visits')
    .values({ person_id: personId, memories_notified_day: day })
    .onConflict(conflict =>
      conflict
        .column('person_id')
        .doUpdateSet({ memories_notified_day: day })
        .where(({ or, eb }) =>
          or([eb('visits.memories_notified_day', 'is', null), eb('visits.memories_notified_day', '<', day)]),
        ),
    )
    .returning('person_id')
    .executeTakeFirst()
  return row !== undefined
}
