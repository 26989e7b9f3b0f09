import { sql } from 'kysely'
import type { Bounds } from '#contract/bounds.ts'
import { map } from '#contract/limits.ts'
import type { Handle } from '../db/schema.ts'
import { isWithin } from '../media/public.ts'

/** The files in one cell of the grid that covers the map. */
export interface Cell {
  count: number
  /** Its file that was added last and is ready to be shown; negative if none is. */
  cover: number
  /** How many files each `location` has. */
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
 * cached, so that no deleted file is ever counted, on any number of servers.
 */
export async function selectCells(handle: Handle, bounds: Bounds, zoom: number): Promise<Cell[]> {
  const cells = cellsAcross(zoom)
  const latitude = sql`case when latitude > ${sql.lit(LIMIT)} then ${sql.lit(LIMIT)} when latitude < ${sql.lit(-LIMIT)} then ${sql.lit(-LIMIT)} else latitude end`
  const column = sql`floor((longitude + 180) / 360 * ${sql.lit(cells)})`
  const row = sql`floor((0.5 - ln(tan(${sql.lit(Math.PI / 4)} + (${latitude}) * ${sql.lit(Math.PI / 360)})) / ${sql.lit(2 * Math.PI)}) * ${sql.lit(cells)})`
  // One number: grouping by two expressions takes SQLite a third longer.
  const cell = sql<number>`${row} * ${sql.lit(cells)} + ${column}`
  const rows = await handle
    .selectFrom('media')
    .select(({ fn }) => [
      cell.as('cell'),
      'location',
      fn.countAll<number>().as('count'),
      sql<number>`max(case when status = 'ready' then id else -id end)`.as('cover'),
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
    .groupBy([cell, 'location'])
    .execute()
  const found = new Map<number, Cell>()
  for (const { cell, location, ...part } of rows) {
    const locations = new Map(location ? [[location, part.count]] : [])
    const before = found.get(cell)
    if (before === undefined) found.set(cell, { ...part, locations })
    else {
      const middle = (key: 'latitude' | 'longitude') =>
        (before[key] * before.count + part[key] * part.count) / (before.count + part.count)
      const [latitude, longitude] = [middle('latitude'), middle('longitude')]
      addCell(before, { ...part, locations })
      Object.assign(before, { latitude, longitude })
    }
  }
  return [...found.values()].sort(byCount).slice(0, map.clusters)
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
