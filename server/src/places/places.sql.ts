import { sql } from 'kysely'
import type { Bounds } from '#contract/bounds.ts'
import { map } from '#contract/limits.ts'
import type { Handle } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { isWithin } from '../media/public.ts'

/** The files in one cell of the grid that covers the map. */
export interface Cell {
  count: number
  /** Its file that was added last and is ready to be shown; negative if none is. */
  cover: number
  /** How many files each `location` has, in a sample of them. */
  locations: Map<string, number>
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
 * cached, so that no deleted file is ever counted, on any number of servers. Most files first.
 */
export async function selectCells(handle: Handle, bounds: Bounds, zoom: number): Promise<Cell[]> {
  const cell = cellAt(zoom)
  const rows = await filesOnMap(handle, bounds)
    .select(({ fn }) => [
      cell.as('cell'),
      fn.countAll<number>().as('count'),
      sql<number>`max(case when status = 'ready' then id else -id end)`.as('cover'),
      fn.avg<number>('latitude').as('latitude'),
      fn.avg<number>('longitude').as('longitude'),
      fn.min<number>('longitude').as('west'),
      fn.min<number>('latitude').as('south'),
      fn.max<number>('longitude').as('east'),
      fn.max<number>('latitude').as('north'),
    ])
    .groupBy(cell)
    .orderBy('count', 'desc')
    .orderBy('cover', 'desc')
    .limit(map.clusters)
    .execute()
  const files = rows.reduce((sum, { count }) => sum + count, 0)
  const locations = await selectLocations(handle, bounds, zoom, Math.ceil(files / map.namedFiles))
  return rows.map(({ cell, ...row }) => ({ ...row, locations: locations.get(cell) ?? new Map() }))
}

/** Of every so many files: to group all of 100,000 by their places as well would take longer than the cells. */
async function selectLocations(
  handle: Handle,
  bounds: Bounds,
  zoom: number,
  every: number,
): Promise<Map<number, Map<string, number>>> {
  const found = new Map<number, Map<string, number>>()
  const query = filesOnMap(handle, bounds)
    .select([cellAt(zoom).as('cell'), sql<string>`location`.as('location')])
    .where('location', '<>', '')
  const rows = await (every > 1 ? query.where(sql<boolean>`id % ${sql.lit(every)} = 0`) : query).execute()
  for (const { cell, location } of rows) {
    const locations = found.get(cell) ?? new Map<string, number>()
    locations.set(location, (locations.get(location) ?? 0) + 1)
    found.set(cell, locations)
  }
  return found
}

function filesOnMap(handle: Handle, bounds: Bounds) {
  return handle
    .selectFrom('media')
    .where('deleted_at', 'is', null)
    .where('longitude', 'is not', null)
    .where(isWithin(bounds))
}

/** One number: grouping by two expressions takes SQLite a third longer. */
function cellAt(zoom: number) {
  const cells = (256 * 2 ** zoom) / map.clusterSize
  const latitude = sql`case when latitude > ${sql.lit(LIMIT)} then ${sql.lit(LIMIT)} when latitude < ${sql.lit(-LIMIT)} then ${sql.lit(-LIMIT)} else latitude end`
  const column = sql`floor((longitude + 180) / 360 * ${sql.lit(cells)})`
  const row = sql`floor((0.5 - ln(tan(${sql.lit(Math.PI / 4)} + (${latitude}) * ${sql.lit(Math.PI / 360)})) / ${sql.lit(2 * Math.PI)}) * ${sql.lit(cells)})`
  // At 180° east there is one more column.
  return sql<number>`${row} * ${sql.lit(cells + 1)} + ${column}`
}

export function byCount(a: Cell, b: Cell): number {
  return b.count - a.count || b.cover - a.cover
}

/** Without its position, so that the larger one does not move away from its own files. */
export function addCell(into: Cell, other: Cell): void {
  into.count += other.count
  into.cover = Math.max(into.cover, other.cover)
  into.west = Math.min(into.west, other.west)
  into.south = Math.min(into.south, other.south)
  into.east = Math.max(into.east, other.east)
  into.north = Math.max(into.north, other.north)
  for (const [location, count] of other.locations) {
    into.locations.set(location, (into.locations.get(location) ?? 0) + count)
  }
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

/** By the ids of files. */
export async function selectPlaceNames(handle: Handle, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const some of inChunks(ids)) {
    const rows = await handle.selectFrom('media').select(['id', 'location']).where('id', 'in', some).execute()
    for (const { id, location } of rows) if (location) names.set(id, location)
  }
  return names
}
