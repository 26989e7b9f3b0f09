import { sql } from 'kysely'
import { DAY, topCards } from '#contract/limits.ts'
import type { Database } from '../../db/database.ts'
import type { Handle, Tx } from '../../db/schema.ts'

/** What a person has put away, by card: until when. */
export async function selectPutAway(handle: Handle, personId: number): Promise<ReadonlyMap<string, number>> {
  const rows = await handle
    .selectFrom('put_away_cards')
    .select(['card', 'until'])
    .where('person_id', '=', personId)
    .execute()
  return new Map(rows.map(({ card, until }) => [card, until]))
}

export async function insertPutAway(
  tx: Tx,
  { personId, card, until, at }: { personId: number; card: string; until: number; at: number },
): Promise<void> {
  await tx
    .insertInto('put_away_cards')
    .values({ person_id: personId, card, until, put_away_at: at })
    .onConflict(conflict => conflict.columns(['person_id', 'card']).doUpdateSet({ until, put_away_at: at }))
    .execute()
  // Older ones are of visits long ago.
  const newest = tx
    .selectFrom('put_away_cards')
    .select('card')
    .where('person_id', '=', personId)
    .orderBy('put_away_at', 'desc')
    .orderBy('card')
    .limit(topCards.putAway)
  await tx.deleteFrom('put_away_cards').where('person_id', '=', personId).where('card', 'not in', newest).execute()
}

export async function deletePutAway(tx: Tx, personId: number, card: string): Promise<void> {
  await tx.deleteFrom('put_away_cards').where('person_id', '=', personId).where('card', '=', card).execute()
}

interface Scope {
  personId: number
  /** Epoch milliseconds. */
  since: number
}

/** What others have added, by person and day, the latest first. The days are those of a time zone. */
export function selectAdded(db: Database, { personId, since, offset }: Scope & { offset: number }) {
  // Bounded, and of the index of upload times alone: an import of a large library must not delay the first screen.
  const fresh = db.query
    .selectFrom('media')
    .select(['id', 'uploaded_by', 'uploaded_at', 'file_type'])
    .where('deleted_at', 'is', null)
    .where('uploaded_at', '>', since)
    .where('uploaded_by', '<>', personId)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(topCards.countedFiles)
  const day = sql<number>`(fresh.uploaded_at + ${sql.lit(offset)}) / ${sql.lit(DAY)}`
  return db.query
    .selectFrom(fresh.as('fresh'))
    .innerJoin('people', 'people.id', 'fresh.uploaded_by')
    .select(({ fn }) => [
      'people.id as person_id',
      'people.name',
      day.as('day'),
      fn.countAll<number>().as('count'),
      sql<number>`sum(case fresh.file_type when 'image' then 1 else 0 end)`.as('images'),
      fn.min('fresh.uploaded_at').as('from'),
      fn.max('fresh.uploaded_at').as('until'),
      fn.max('fresh.id').as('newest_id'),
      fn.min('fresh.id').as('oldest_id'),
    ])
    .groupBy(['people.id', 'people.name', day])
    .orderBy('until', 'desc')
    .orderBy('people.id')
    .limit(topCards.perKind)
    .execute()
}

function newHearts(db: Database, { personId, since }: Scope) {
  const recent = db.query
    .selectFrom('hearts')
    .select(['media_id', 'person_id', 'created_at'])
    .where('created_at', '>', since)
    .where('person_id', '<>', personId)
    .orderBy('created_at', 'desc')
    .limit(topCards.countedFiles)
  return db.query
    .selectFrom(recent.as('recent'))
    .innerJoin('media', 'media.id', 'recent.media_id')
    .where('media.deleted_at', 'is', null)
    .where('media.uploaded_by', '=', personId)
}

/** Who loves what the person has added, the latest first. */
export function selectNewHearts(db: Database, scope: Scope) {
  return newHearts(db, scope)
    .innerJoin('people', 'people.id', 'recent.person_id')
    .select(({ fn }) => [
      'people.id as person_id',
      'people.name',
      fn.countAll<number>().as('count'),
      sql<number>`sum(case media.file_type when 'image' then 1 else 0 end)`.as('images'),
      fn.max('recent.created_at').as('until'),
      fn.max('media.id').as('newest_id'),
      fn.min('media.id').as('oldest_id'),
    ])
    .groupBy(['people.id', 'people.name'])
    .orderBy('until', 'desc')
    .orderBy('people.id')
    .limit(topCards.perKind)
    .execute()
}

/** The photos of guests that wait for review, and the latest of them. */
export async function selectWaiting(db: Database) {
  const waiting = db.query
    .selectFrom('guest_uploads')
    .select('id')
    .where('state', '=', 'waiting')
    .orderBy('id', 'desc')
    .limit(topCards.countedFiles)
  const counted = db.query
    .selectFrom(waiting.as('waiting'))
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('waiting.id').as('latest')])
  return db.query
    .selectFrom(counted.as('counted'))
    .innerJoin('guest_uploads', 'guest_uploads.id', 'counted.latest')
    .select(['counted.count', 'guest_uploads.media_id', 'guest_uploads.sent_at'])
    .executeTakeFirst()
}

/** The pictures of these files, also of those that wait for review. */
export async function selectCovers(handle: Handle, ids: readonly number[]) {
  if (ids.length === 0) return []
  return handle
    .selectFrom('media')
    .innerJoin('media_parts as thumbnail', join =>
      join.onRef('thumbnail.media_id', '=', 'media.id').on('thumbnail.kind', '=', 'thumbnail'),
    )
    .leftJoin('media_parts as mobile', join =>
      join.onRef('mobile.media_id', '=', 'media.id').on('mobile.kind', '=', 'mobile'),
    )
    .select(['media.id', 'media.thumbhash', 'thumbnail.key as thumbnail_key', 'mobile.key as mobile_key'])
    .where('media.id', 'in', ids)
    .execute()
}

/** The files of a card in the order of its story: by their own date. */
export async function idsOfAdded(
  db: Database,
  { personId, uploaderId, from, before }: { personId: number; uploaderId: number; from: number; before: number },
): Promise<number[]> {
  if (uploaderId === personId) return []
  const added = db.query
    .selectFrom('media')
    .select(['id', 'date_sort_asc'])
    .where('deleted_at', 'is', null)
    .where('uploaded_at', '>=', from)
    .where('uploaded_at', '<', before)
    .where('uploaded_by', '=', uploaderId)
    .orderBy('uploaded_at')
    .orderBy('id')
    .limit(topCards.story)
  const rows = await db.query
    .selectFrom(added.as('added'))
    .select('id')
    .orderBy('date_sort_asc')
    .orderBy('id')
    .execute()
  return rows.map(row => row.id)
}

export async function idsOfNewHearts(db: Database, scope: Scope & { loverId: number }): Promise<number[]> {
  const rows = await newHearts(db, scope)
    .select('media.id')
    .where('recent.person_id', '=', scope.loverId)
    .orderBy('recent.created_at', 'desc')
    .orderBy('media.id')
    .limit(topCards.story)
    .execute()
  return rows.map(row => row.id)
}
