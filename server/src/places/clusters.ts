import { type Bounds, readBounds, writeBounds } from '#contract/bounds.ts'
import type { Answer } from '#contract/endpoint.ts'
import { map } from '#contract/limits.ts'
import type { mapClusters, mapExtent } from '#contract/places.ts'
import type { Handle } from '../db/schema.ts'
import { fileCards } from '../media/public.ts'
import { type PlaceParts, partsOf } from '../processing/place-parts.ts'
import type { Storage } from '../storage/storage.ts'
import { addCell, byCount, type Cell, selectCells, selectExtent, selectPlaceNames } from './places.sql.ts'

export interface PlacesDeps {
  db: { query: Handle }
  storage: Pick<Storage, 'signedUrl'>
}

/** Clusters whose centres are closer than this are merged, in pixels: their circles would cover each other. */
const MERGE_WITHIN = 44

export async function findClusters(
  { db, storage }: PlacesDeps,
  { bounds: text, zoom: wanted }: { bounds: string; zoom: number },
): Promise<Answer<typeof mapClusters>> {
  const bounds = readBounds(text)
  const zoom = Math.min(wanted, sensibleZoom(bounds))
  const clusters = mergeNeighbours(await selectCells(db.query, bounds, zoom), zoom)
  const covers = clusters.map(({ cover }) => Math.abs(cover))
  // No file of a small cluster may be in the sample.
  const unnamed = clusters.filter(({ locations }) => locations.size === 0).map(({ cover }) => Math.abs(cover))
  const [cards, names] = await Promise.all([fileCards(db.query, storage, covers), selectPlaceNames(db.query, unnamed)])
  return clusters.map(({ count, cover, latitude, longitude, locations, ...around }) => {
    const id = Math.abs(cover)
    const { thumbnail_url = null, thumbhash = null } = cards.get(id) ?? {}
    const [shown, name] = [{ media_id: id, thumbnail_url, thumbhash }, names.get(id)]
    const named = nameOf(name === undefined ? locations : new Map([[name, 1]]), zoom)
    return { latitude, longitude, count, bounds: writeBounds(around), cover: shown, ...named }
  })
}

/** Closer than a whole city, where several clusters are in one town. */
const QUARTERS_FROM_ZOOM = 10

/**
 * The town that most of the files are in, or else the state, or else the country that more are in than in any other. From
 * near, the quarter of the town.
 */
function nameOf(locations: ReadonlyMap<string, number>, zoom: number): { place: string | null; elsewhere: boolean } {
  const places = [...locations].map(([location, count]) => ({ ...partsOf(location), location, count }))
  const all = places.reduce((sum, { count }) => sum + count, 0)
  function most(nameIn: (place: PlaceParts & { location: string }) => string | undefined, atLeast: number) {
    const counts = new Map<string, number>()
    for (const place of places) {
      const name = nameIn(place)
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + place.count)
    }
    const [first] = [...counts].sort(([, a], [, b]) => b - a)
    if (first === undefined || first[1] <= atLeast) return undefined
    const [place, count] = first
    return { place, elsewhere: count < all }
  }
  const quarter = zoom >= QUARTERS_FROM_ZOOM ? most(({ location }) => location, 0) : undefined
  return (
    quarter ??
    most(({ town }) => town?.area, all / 2) ??
    most(({ region }) => region, all / 2) ??
    most(({ country }) => country, 0) ?? { place: null, elsewhere: false }
  )
}

export async function findExtent({ db }: PlacesDeps): Promise<Answer<typeof mapExtent>> {
  const extent = await selectExtent(db.query)
  return { bounds: extent ? writeBounds(extent) : null }
}

/**
 * How many cells of the grid a part of the map has at most. On a larger screen the cells are larger: more markers are slow
 * to move, and too many to look at.
 */
const MOST_CELLS = 600

function sensibleZoom({ west, south, east, north }: Bounds): number {
  const width = (west <= east ? east - west : east + 360 - west) / 360
  const [top, bottom] = [north, south].map(latitude => project({ latitude, longitude: 0 }, 1).y)
  const height = (bottom ?? 1) - (top ?? 0)
  const side = Math.sqrt(Math.max(width * height, 1e-12) / MOST_CELLS)
  return Math.max(0, Math.floor(Math.log2(map.clusterSize / 256 / side)))
}

/**
 * A cluster on the edge of a cell may be close to one in the next cell. The largest take in their neighbours, each
 * compared with those of the cells around it alone.
 */
export function mergeNeighbours(cells: readonly Cell[], zoom: number): Cell[] {
  const world = 256 * 2 ** zoom
  const merged: (Cell & { x: number; y: number })[] = []
  const byCell = new Map<string, typeof merged>()
  for (const cell of cells.toSorted(byCount)) {
    const { x, y } = project(cell, world)
    const [column, row] = [Math.floor(x / map.clusterSize), Math.floor(y / map.clusterSize)]
    const near = around(column, row)
      .flatMap(key => byCell.get(key) ?? [])
      .find(other => Math.hypot(other.x - x, other.y - y) < MERGE_WITHIN)
    if (near) {
      addCell(near, cell)
      continue
    }
    const kept = { ...cell, locations: new Map(cell.locations), x, y }
    merged.push(kept)
    const key = `${column} ${row}`
    byCell.set(key, [...(byCell.get(key) ?? []), kept])
  }
  return merged.map(({ x: _, y: __, ...cell }) => cell).sort(byCount)
}

function around(column: number, row: number): string[] {
  return [-1, 0, 1].flatMap(right => [-1, 0, 1].map(down => `${column + right} ${row + down}`))
}

function project(
  { latitude, longitude }: Pick<Cell, 'latitude' | 'longitude'>,
  world: number,
): { x: number; y: number } {
  const radians = (Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + radians / 2)) / (2 * Math.PI)
  return { x: ((longitude + 180) / 360) * world, y: y * world }
}
