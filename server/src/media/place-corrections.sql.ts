import { sql } from 'kysely'
import { z } from 'zod'
import type { Handle, NewMedia, PlaceCorrectionRow, Tx } from '../db/schema.ts'
import { updateRows } from '../db/update-rows.sql.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { searchable } from '../kit/searchable.ts'
import { upsertSearchTexts } from './search-text.sql.ts'

export type NewPlace = Pick<PlaceCorrectionRow, 'kind' | 'latitude' | 'longitude' | 'location'>

interface Correction extends NewPlace {
  by: number
  at: number
}

/** Stores the correction of these files and shows it. The camera's place is kept beside it. */
export async function correctPlaceRows(tx: Tx, ids: readonly number[], correction: Correction): Promise<void> {
  const { kind, latitude, longitude, location, by, at } = correction
  for (const some of inChunks(ids)) {
    await tx
      .insertInto('place_corrections')
      .columns([
        ...(['media_id', 'kind', 'latitude', 'longitude', 'location', 'corrected_by', 'corrected_at'] as const),
        ...(['camera_latitude', 'camera_longitude', 'camera_location'] as const),
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
        })),
      )
      .execute()
    await showCorrectedPlaces(tx, some)
  }
}

/** What an undo of a correction gives back. The place itself is for the activity. */
export const PlaceBefore = z.object({
  latitude: z.number().nullish(),
  longitude: z.number().nullish(),
  location: z.string().nullish(),
  /** Null: it was that of the camera. */
  correction: z
    .object({
      kind: z.enum(['set', 'none', 'camera']),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      location: z.string().nullable(),
      by: z.number(),
      at: z.number(),
    })
    .nullable(),
})
export type PlaceBefore = z.infer<typeof PlaceBefore>

export async function selectPlacesBefore(handle: Handle, ids: readonly number[]): Promise<Map<number, PlaceBefore>> {
  const places = new Map<number, PlaceBefore>()
  for (const some of inChunks(ids)) {
    const rows = await handle
      .selectFrom('media')
      .leftJoin('place_corrections as own', 'own.media_id', 'media.id')
      .select(['media.id', 'media.latitude', 'media.longitude', 'media.location', 'own.kind', 'own.corrected_by as by'])
      .select(['own.corrected_at as at', 'own.latitude as own_latitude', 'own.longitude as own_longitude'])
      .select('own.location as own_location')
      .where('media.id', 'in', some)
      .execute()
    for (const { id, kind, by, at, own_latitude, own_longitude, own_location, ...place } of rows) {
      const own = { latitude: own_latitude, longitude: own_longitude, location: own_location }
      const correction = kind === null || by === null || at === null ? null : { kind, ...own, by, at }
      places.set(id, { ...place, correction })
    }
  }
  return places
}

interface RestoredPlace {
  id: number
  correction: PlaceBefore['correction']
}

const types = {
  kind: 'text',
  latitude: 'double precision',
  longitude: 'double precision',
  location: 'text',
  corrected_by: 'bigint',
  corrected_at: 'bigint',
} as const

/** Gives files back the corrections that they had. */
export async function restorePlaceRows(tx: Tx, files: readonly RestoredPlace[]): Promise<void> {
  const corrected = files.flatMap(({ id, correction }) => {
    if (correction === null) return []
    const { by, at, ...place } = correction
    return [{ media_id: id, ...place, corrected_by: by, corrected_at: at }]
  })
  await updateRows(tx, 'place_corrections', { key: 'media_id', types }, corrected)
  const uncorrected = files.flatMap(({ id, correction }) => (correction === null ? [id] : []))
  for (const some of inChunks(uncorrected)) {
    await tx.updateTable('place_corrections').set({ kind: 'camera' }).where('media_id', 'in', some).execute()
  }
  for (const some of inChunks(files)) {
    await showCorrectedPlaces(
      tx,
      some.map(({ id }) => id),
    )
  }
  for (const some of inChunks(uncorrected)) {
    await tx.deleteFrom('place_corrections').where('media_id', 'in', some).execute()
  }
}

const shownTypes = {
  latitude: 'double precision',
  longitude: 'double precision',
  location: 'text',
  location_sort: 'text',
} as const

/** Copies the places in force to `media`, from which all lists and searches read: each row once, as it is in many indexes. */
async function showCorrectedPlaces(tx: Tx, ids: readonly number[]): Promise<void> {
  const inForce = <Column extends 'latitude' | 'longitude' | 'location'>(column: Column) =>
    sql<PlaceCorrectionRow[Column]>`case kind when 'camera' then ${sql.ref(`camera_${column}`)}
      when 'set' then ${sql.ref(`place_corrections.${column}`)} end`
  const files = await tx
    .selectFrom('place_corrections')
    .innerJoin('media', 'media.id', 'media_id')
    .select(['media.id', 'original_name', 'caption', 'camera', 'sent_by'])
    .select([
      inForce('latitude').as('latitude'),
      inForce('longitude').as('longitude'),
      inForce('location').as('location'),
    ])
    .where('media_id', 'in', ids)
    .execute()
  if (files.length === 0) return
  const shown = files.map(file => ({ ...file, location_sort: searchable(file.location ?? '') }))
  await updateRows(tx, 'media', { key: 'id', types: shownTypes }, shown)
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
    .select(['kind', 'corrected_at', 'camera_latitude', 'camera_longitude', 'camera_location'])
    .select(['people.id as person_id', 'people.username', 'people.name'])
    .where('media_id', '=', mediaId)
    .where('kind', '<>', 'camera')
    .executeTakeFirst()
}
