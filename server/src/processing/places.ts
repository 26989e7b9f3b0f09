import { feature, iso1A2Code } from '@rapideditor/country-coder'
import type { Bounds } from '#contract/bounds.ts'
import { map } from '#contract/limits.ts'
import type { FoundPlace } from '#contract/places.ts'
import { type Gazetteer, loadGazetteer, type Position, type Settlement } from './gazetteer.ts'
import { namesStates } from './place-parts.ts'

/** A settlement further away than this does not describe where a photo was taken. */
const MAX_DISTANCE_KM = 80
/** Off the coast there is no country; a place this near still names the bay. */
const MAX_DISTANCE_AT_SEA_KM = 25
/** How many nearby settlements are considered, to find one on the same side of a border. */
const CANDIDATES = 12
/** Limits for the search for the city that a quarter belongs to. */
const CITY_RADIUS_KM = 20
const QUARTERS = 300

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

/** The towns and villages to label on a map. */
export function townsWithin(bounds: Bounds): (Position & { name: string })[] {
  gazetteer ??= loadGazetteer()
  return gazetteer.within(bounds, map.towns)
}

/** Up to `placesFound` towns and villages whose names begin with these letters, whatever case or accents. */
export function searchPlaces(name: string): FoundPlace[] {
  gazetteer ??= loadGazetteer()
  const { region } = gazetteer
  return gazetteer.search(name, map.placesFound).map(({ country, admin1, ...place }) => {
    const names = new Set([region(`${country}.${admin1}`), countryName(country)])
    return { ...place, region: [...names].filter(Boolean).join(', ') || null }
  })
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
  if (namesStates(country)) return state
  const names = ` ${region(`${country}.${admin1}.${admin2}`)} ${state} `
  return near(latitude, longitude, QUARTERS, CITY_RADIUS_KM)
    .filter(place => place.country === country && place.admin1 === admin1)
    .map(place => townName(place.name))
    .find(name => names.includes(` ${name} `))
}

function countryName(code: string): string | undefined {
  return code === 'US' ? 'United States' : feature(code)?.properties.nameEn
}
