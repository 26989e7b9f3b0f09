import type { Hearts } from '#contract/hearts.ts'
import type { Handle, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

/** Who loves each of these files. Files that nobody loves, and deleted ones, are missing. */
export async function heartsOf(handle: Handle, mediaIds: readonly number[]): Promise<Hearts[]> {
  if (mediaIds.length === 0) return []
  const rows = await handle
    .selectFrom('hearts')
    .innerJoin('media', 'media.id', 'hearts.media_id')
    .innerJoin('people', 'people.id', 'hearts.person_id')
    .select(['hearts.media_id', 'people.id', 'people.username', 'people.name'])
    .where('hearts.media_id', 'in', mediaIds)
    .where('media.deleted_at', 'is', null)
    .orderBy('hearts.media_id')
    .orderBy('hearts.created_at')
    .orderBy('people.id')
    .execute()
  return [...Map.groupBy(rows, row => row.media_id)].map(([media_id, people]) => ({ media_id, people }))
}

/** The ids of these files that the person loves. */
export async function selectHearted(tx: Tx, personId: number, mediaIds: readonly number[]): Promise<number[]> {
  const hearted: number[] = []
  for (const some of inChunks(mediaIds)) {
    const rows = await tx
      .selectFrom('hearts')
      .select('media_id')
      .where('person_id', '=', personId)
      .where('media_id', 'in', some)
      .execute()
    hearted.push(...rows.map(row => row.media_id))
  }
  return hearted
}

export interface NewHearts {
  personId: number
  at: number
  /** The notification that tells the uploader of them. */
  notificationId: number | null
}

export async function insertHearts(tx: Tx, mediaIds: readonly number[], hearts: NewHearts): Promise<void> {
  const { personId: person_id, at: created_at, notificationId: notification_id } = hearts
  for (const some of inChunks(mediaIds)) {
    const rows = some.map(media_id => ({ media_id, person_id, created_at, notification_id }))
    await tx.insertInto('hearts').values(rows).execute()
  }
}

export async function deleteHearts(tx: Tx, personId: number, mediaIds: readonly number[]): Promise<void> {
  for (const some of inChunks(mediaIds)) {
    await tx.deleteFrom('hearts').where('person_id', '=', personId).where('media_id', 'in', some).execute()
  }
}
