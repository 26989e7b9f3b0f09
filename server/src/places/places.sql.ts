import { sql } from 'kysely'
import type { Bounds } from '#contract/bounds.ts'
import { map } from '#contract/limits.ts'
import type { Handle } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { isWithin } from '../media/public.ts'

/** The files in one cell of the grid that covers the map. */
export interface Cell {
  count: number
  /** Its file that was added last. */
  cover: number
  latitude: number
  longitude: number
  west: number
  south: number
  east: number
  north: number
}

/** The Mercator projection has no poles. */
const LIMIT = 85

/**
 * Groups by cells of `clusterSize` pixels, in the database and from an index alone: no position is kept in memory or
 * cached, so that no deleted file is ever counted, on any number of servers.
 */
export async function selectCells(handle: Handle, bounds: Bounds, zoom: number): Promise<Cell[]> {
  const cells = cellsAcross(zoom)
  const latitude = sql`case when latitude > ${sql.lit(LIMIT)} then ${sql.lit(LIMIT)} when latitude < ${sql.lit(-LIMIT)} then ${sql.lit(-LIMIT)} else latitude end`
  const column = sql`floor((longitude + 180) / 360 * ${sql.lit(cells)})`
  const row = sql`floor((0.5 - ln(tan(${sql.lit(Math.PI / 4)} + (${latitude}) * ${sql.lit(Math.PI / 360)})) / ${sql.lit(2 * Math.PI)}) * ${sql.lit(cells)})`
  return (
    handle
      .selectFrom('media')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.max<number>('id').as('cover'),
        fn.avg<number>('latitude').as('latitude'),
        fn.avg<number>('longitude').as('longitude'),
        fn.min<number>('longitude').as('west'),
        fn.min<number>('latitude').as('south'),
        fn.max<number>('longitude').as('east'),
        fn.max<number>('latitude').as('north'),
      ])
      .where('deleted_at', 'is', null)
      .where('longitude', 'is not', null)
      .where(isWithin(bounds))
      // One number: grouping by two expressions takes SQLite a third longer.
      .groupBy(sql`${row} * ${sql.lit(cells)} + ${column}`)
      .orderBy('count', 'desc')
      .orderBy('cover', 'desc')
      .limit(map.clusters)
      .execute()
  )
}

/** Around all files that have a place. */
export async function selectExtent(handle: Handle): Promise<Bounds | undefined> {
  const extent = await handle
    .selectFrom('media')
    .select(({ fn }) => [
      fn.min<number | null>('longitude').as('west'),
      fn.min<number | null>('latitude').as('south'),
      fn.max<number | null>('longitude').as('east'),
      fn.max<number | null>('latitude').as('north'),
    ])
    .where('deleted_at', 'is', null)
    .where('latitude', 'is not', null)
    .executeTakeFirst()
  if (!extent) return undefined
  const { west, south, east, north } = extent
  return west === null || south === null || east === null || north === null ? undefined : { west, south, east, north }
}

/** By the ids of files. */
export async function selectPlaceNames(handle: Handle, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const some of inChunks(ids)) {
    const rows = await handle.selectFrom('media').select(['id', 'location']).where('id', 'in', some).execute()
    for (const { id, location } of rows) if (location) names.set(id, location)
  }
  return names
}

function cellsAcross(zoom: number): number {
  return (256 * 2 ** zoom) / map.clusterSize
}

/** How many files each place has, and which of them was added last. Answered from an index. */
export async function countPlaces(handle: Handle): Promise<{ location: string; count: number; cover: number }[]> {
  return handle
    .selectFrom('media')
    .select(({ fn, ref }) => [
      ref('location').$castTo<string>().as('location'),
      fn.countAll<number>().as('count'),
      fn.max<number>('id').as('cover'),
    ])
    .where('deleted_at', 'is', null)
    .where('location', 'is not', null)
    .where('location', '<>', '')
    .groupBy('location')
    .execute()
}
