import { sql } from 'kysely'
import type { FileType } from '#contract/media.ts'
import type { Database } from '../db/database.ts'
import type { Handle, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

/**
 * The unread notification that aggregates the hearts for a person, as the newest of theirs: an older one is replaced, so
 * that it moves to the top of the list. Undefined if the person has no access or does not want it.
 */
export async function aggregatedNotification(
  db: Database,
  tx: Tx,
  personId: number,
  now: number,
): Promise<number | undefined> {
  // Locked, so that it is not marked as read or deleted before the hearts are added.
  const unread = tx
    .selectFrom('notifications')
    .select('id')
    .where('person_id', '=', personId)
    .where('subject', '=', 'hearts')
    .where('read_at', 'is', null)
  const [known] = await db.forUpdate(unread).execute()
  const newest = await tx
    .selectFrom('notifications')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('person_id', '=', personId)
    .executeTakeFirst()
  if (known !== undefined && known.id === newest?.id) {
    await tx.updateTable('notifications').set({ created_at: now }).where('id', '=', known.id).execute()
    return known.id
  }
  const added = await insertAggregated(tx, personId, now)
  if (known !== undefined && added !== undefined) {
    await tx.updateTable('hearts').set({ notification_id: added }).where('notification_id', '=', known.id).execute()
    await tx.deleteFrom('notifications').where('id', '=', known.id).execute()
  }
  return added
}

async function insertAggregated(tx: Tx, personId: number, now: number): Promise<number | undefined> {
  const row = await tx
    .insertInto('notifications')
    .columns(['person_id', 'type', 'subject', 'created_at'])
    .expression(({ selectFrom, val }) =>
      selectFrom('people')
        .select([
          'id',
          sql<'other'>`'other'`.as('type'),
          sql<'hearts'>`'hearts'`.as('subject'),
          val(now).as('created_at'),
        ])
        .where('id', '=', personId)
        .where('status', '=', 'approved')
        .where('id', 'not in', tx.selectFrom('muted_notifications').select('person_id').where('kind', '=', 'hearts')),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Locks the notifications of these hearts of a person. */
export async function lockNotificationsOfHearts(
  db: Database,
  tx: Tx,
  personId: number,
  mediaIds: readonly number[],
): Promise<{ id: number; person_id: number }[]> {
  const ids = new Set<number>()
  for (const some of inChunks(mediaIds)) {
    const rows = await tx
      .selectFrom('hearts')
      .select('notification_id')
      .distinct()
      .where('person_id', '=', personId)
      .where('media_id', 'in', some)
      .where('notification_id', 'is not', null)
      .execute()
    for (const { notification_id } of rows) if (notification_id !== null) ids.add(notification_id)
  }
  const locked: { id: number; person_id: number }[] = []
  for (const some of inChunks([...ids].sort((a, b) => a - b))) {
    const query = tx.selectFrom('notifications').select(['id', 'person_id']).where('id', 'in', some).orderBy('id')
    locked.push(...(await db.forUpdate(query).execute()))
  }
  return locked
}

/** Deletes those that no heart belongs to any more. */
export async function deleteWithoutHearts(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const some of inChunks(ids)) {
    await tx
      .deleteFrom('notifications')
      .where('id', 'in', some)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom('hearts').select('media_id').whereRef('hearts.notification_id', '=', 'notifications.id')),
        ),
      )
      .execute()
  }
}

/** What a notification of hearts says. Hearts on deleted files do not count. */
export interface AggregatedHearts {
  /** The names of the people, the one of the latest heart first. */
  people: string[]
  files: number
  images: number
  /** The file of the latest heart. */
  latest: { media_id: number; file_name: string; file_type: FileType }
}

/** By the ids of the notifications; one whose files are all deleted is missing. Two queries. */
export async function aggregatedHearts(handle: Handle, ids: readonly number[]): Promise<Map<number, AggregatedHearts>> {
  if (ids.length === 0) return new Map()
  const hearts = handle
    .selectFrom('hearts')
    .innerJoin('media', 'media.id', 'hearts.media_id')
    .where('hearts.notification_id', 'in', ids)
    .where('media.deleted_at', 'is', null)
  const perFile = hearts
    .select(({ fn }) => [
      'hearts.notification_id',
      'hearts.media_id',
      'media.original_name',
      'media.file_type',
      fn.max('hearts.created_at').as('latest'),
    ])
    .groupBy(['hearts.notification_id', 'hearts.media_id', 'media.original_name', 'media.file_type'])
  const ranked = handle
    .selectFrom(perFile.as('files'))
    .select(['notification_id', 'media_id', 'original_name', 'file_type'])
    .select([
      sql<number>`count(*) over (partition by notification_id)`.as('files'),
      sql<number>`sum(case file_type when 'image' then 1 else 0 end) over (partition by notification_id)`.as('images'),
      sql<number>`row_number() over (partition by notification_id order by latest desc, media_id desc)`.as('rank'),
    ])
  const [files, people] = await Promise.all([
    handle.selectFrom(ranked.as('ranked')).selectAll().where('rank', '=', 1).execute(),
    hearts
      .innerJoin('people', 'people.id', 'hearts.person_id')
      .select(({ fn }) => ['hearts.notification_id', 'people.name', fn.max('hearts.created_at').as('latest')])
      .groupBy(['hearts.notification_id', 'people.id', 'people.name'])
      .orderBy('latest', 'desc')
      .orderBy('people.id')
      .execute(),
  ])
  const names = Map.groupBy(people, person => person.notification_id)
  return new Map(
    files.map(({ notification_id, media_id, original_name: file_name, file_type, files, images }) => [
      notification_id ?? 0,
      {
        people: names.get(notification_id)?.map(person => person.name) ?? [],
        files,
        images,
        latest: { media_id, file_name, file_type },
      },
    ]),
  )
}
