import { sql } from 'kysely'
import { corrections } from '#contract/limits.ts'
import type { Handle, MediaRow, NewMedia, PlaceCorrectionRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { searchable } from '../kit/searchable.ts'
import { upsertSearchTexts } from './search-text.sql.ts'

export type NewPlace = Pick<PlaceCorrectionRow, 'kind' | 'latitude' | 'longitude' | 'location'>

interface Correction extends NewPlace {
  by: number
  at: number
  changeId: string
}

/** Stores the correction of these files, with what it replaces, and shows it. The camera's place is kept beside it. */
export async function correctPlaceRows(tx: Tx, ids: readonly number[], correction: Correction): Promise<void> {
  const { kind, latitude, longitude, location, by, at, changeId } = correction
  for (const some of inChunks(ids)) {
    await tx
      .insertInto('place_corrections')
      .columns([
        ...(['media_id', 'kind', 'latitude', 'longitude', 'location', 'corrected_by', 'corrected_at'] as const),
        ...(['change_id', 'camera_latitude', 'camera_longitude', 'camera_location'] as const),
      ])
      .expression(eb =>
        eb
          .selectFrom('media')
          .select([
            'id',
            sql`cast(${kind} as text)`.as('kind'),
            sql`cast(${latitude} as double precision)`.as('new_latitude'),
            sql`cast(${longitude} as double precision)`.as('new_longitude'),
            sql`cast(${location} as text)`.as('new_location'),
            sql`cast(${by} as bigint)`.as('by'),
            sql`cast(${at} as bigint)`.as('at'),
            sql`cast(${changeId} as text)`.as('change_id'),
            'latitude',
            'longitude',
            'location',
          ])
          .where('id', 'in', some),
      )
      .onConflict(conflict =>
        conflict.column('media_id').doUpdateSet(({ ref }) => ({
          kind: ref('excluded.kind'),
          latitude: ref('excluded.latitude'),
          longitude: ref('excluded.longitude'),
          location: ref('excluded.location'),
          corrected_by: ref('excluded.corrected_by'),
          corrected_at: ref('excluded.corrected_at'),
          change_id: ref('excluded.change_id'),
          previous_kind: ref('place_corrections.kind'),
          previous_latitude: ref('place_corrections.latitude'),
          previous_longitude: ref('place_corrections.longitude'),
          previous_location: ref('place_corrections.location'),
          previous_by: ref('place_corrections.corrected_by'),
          previous_at: ref('place_corrections.corrected_at'),
        })),
      )
      .execute()
    await showCorrectedPlaces(tx, some)
  }
}

/** Where these files were taken, by id. */
export async function selectPlaces(handle: Handle, ids: readonly number[]) {
  const places = new Map<number, Pick<MediaRow, 'latitude' | 'longitude' | 'location'>>()
  for (const some of inChunks(ids)) {
    const query = handle.selectFrom('media').select(['id', 'latitude', 'longitude', 'location']).where('id', 'in', some)
    for (const { id, ...place } of await query.execute()) places.set(id, place)
  }
  return places
}

/** The files whose place is that of a person. */
export async function idsWithCorrectedPlace(handle: Handle, ids: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (const some of inChunks(ids)) {
    const corrected = handle.selectFrom('place_corrections').select('media_id').where('kind', '<>', 'camera')
    for (const row of await corrected.where('media_id', 'in', some).execute()) found.add(row.media_id)
  }
  return found
}

/** The files whose last correction was this change of this person. */
export async function idsOfPlaceChange(handle: Handle, changeId: string, by: number): Promise<number[]> {
  const rows = await handle
    .selectFrom('place_corrections')
    .select('media_id')
    .where('change_id', '=', changeId)
    .where('corrected_by', '=', by)
    .execute()
  return rows.map(row => row.media_id)
}

/** Restores what the last correction of these files replaced. */
export async function restorePlaceRows(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const some of inChunks(ids)) {
    await tx
      .updateTable('place_corrections')
      .set(({ ref }) => ({
        kind: sql<PlaceCorrectionRow['kind']>`coalesce(previous_kind, 'camera')`,
        latitude: ref('previous_latitude'),
        longitude: ref('previous_longitude'),
        location: ref('previous_location'),
        corrected_by: sql<number>`coalesce(previous_by, corrected_by)`,
        corrected_at: sql<number>`coalesce(previous_at, corrected_at)`,
        // No undo of an undo.
        change_id: '',
      }))
      .where('media_id', 'in', some)
      .execute()
    await showCorrectedPlaces(tx, some)
    await tx.deleteFrom('place_corrections').where('media_id', 'in', some).where('previous_kind', 'is', null).execute()
  }
}

/** Copies the places in force to `media`, from which all lists and searches read: each row once, as it is in many indexes. */
async function showCorrectedPlaces(tx: Tx, ids: readonly number[]): Promise<void> {
  const inForce = <Column extends 'latitude' | 'longitude' | 'location'>(column: Column) =>
    sql<PlaceCorrectionRow[Column]>`case kind when 'camera' then ${sql.ref(`camera_${column}`)}
      when 'set' then ${sql.ref(`place_corrections.${column}`)} end`
  const files = await tx
    .selectFrom('place_corrections')
    .innerJoin('media', 'media.id', 'media_id')
    .select(['media.id', 'original_name', 'camera'])
    .select([
      inForce('latitude').as('latitude'),
      inForce('longitude').as('longitude'),
      inForce('location').as('location'),
    ])
    .where('media_id', 'in', ids)
    .execute()
  if (files.length === 0) return
  const rows = files.map(
    ({ id, latitude, longitude, location }) =>
      sql`(cast(${id} as bigint), cast(${latitude} as double precision), cast(${longitude} as double precision),
        cast(${location} as text), cast(${searchable(location ?? '')} as text))`,
  )
  await sql`with shown (id, latitude, longitude, location, sort) as (values ${sql.join(rows)})
    update media set latitude = shown.latitude, longitude = shown.longitude, location = shown.location,
      location_sort = shown.sort from shown where media.id = shown.id`.execute(tx)
  await upsertSearchTexts(tx, files)
}

/**
 * For columns that were read from the file again: what people have corrected stays, and the camera's place is kept
 * beside it. To be called in the transaction that stores them.
 */
export async function keepCorrectedPlace<Change extends Partial<NewMedia>>(
  tx: Tx,
  mediaId: number,
  change: Change,
): Promise<Change> {
  const { latitude, longitude, location } = change
  if (latitude === undefined || longitude === undefined || location === undefined) return change
  const camera = { camera_latitude: latitude, camera_longitude: longitude, camera_location: location }
  const corrected = await tx
    .updateTable('place_corrections')
    .set(camera)
    .where('media_id', '=', mediaId)
    .returning(['kind', 'latitude', 'longitude', 'location'])
    .executeTakeFirst()
  if (!corrected || corrected.kind === 'camera') return change
  const { kind: _, ...place } = corrected
  return { ...change, ...place, location_sort: searchable(place.location ?? '') }
}

export async function findPlaceCorrection(handle: Handle, mediaId: number) {
  return handle
    .selectFrom('place_corrections')
    .innerJoin('people', 'people.id', 'corrected_by')
    .select(['kind', 'corrected_at', 'camera_latitude', 'camera_longitude', 'camera_location', 'change_id'])
    .select(
      // At most one more than `countedFiles`.
      sql<number>`(select count(*) from (
        select 1 from place_corrections same join media on media.id = same.media_id
        where same.change_id = nullif(place_corrections.change_id, '') and same.corrected_by = place_corrections.corrected_by
          and media.deleted_at is null limit ${sql.lit(corrections.countedFiles + 1)}) counted)`.as('files'),
    )
    .select(['people.id as person_id', 'people.username', 'people.name'])
    .where('media_id', '=', mediaId)
    .where('kind', '<>', 'camera')
    .executeTakeFirst()
}
