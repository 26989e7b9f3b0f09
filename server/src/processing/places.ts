import { iso1A2Code } from '@rapideditor/country-coder'
import type { Bounds } from '#contract/bounds.ts'
import { map } from '#contract/limits.ts'
import type { FoundPlace } from '#contract/places.ts'
import { timeZoneAt } from './dates/time-zones.ts'
import { type Gazetteer, loadGazetteer, normalised, type Position, type Settlement } from './gazetteer.ts'
import { namesStates } from './place-parts.ts'

/** A settlement further away than this does not describe where a photo was taken. */
const MAX_DISTANCE_KM = 80
/** Off the coast there is no country; a place this near still names the bay. */
const MAX_DISTANCE_AT_SEA_KM = 25
/** How many nearby settlements are considered, to find one on the same side of a border. */
const CANDIDATES = 12

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
  const { admin1, country: code } = settlement
  const state = namesStates(code) ? gazetteer.region(`${code}.${admin1}`) : undefined
  return [...new Set([town, cityOf(settlement, gazetteer), state, countryName(code)])].filter(Boolean).join(', ')
}

/** The towns and villages to label on a map. */
export function townsWithin(bounds: Bounds): (Position & { name: string })[] {
  gazetteer ??= loadGazetteer()
  return gazetteer.within(bounds, map.towns)
}

/** How many towns of a name are compared with the country that is typed after it. */
const NAMESAKES = 500

/**
 * Up to `placesFound` towns and villages whose names begin with these letters, in any language, case or accents. After
 * a comma their county, state or country may follow, also only its beginning: "Falmouth, Corn".
 */
export function searchPlaces(text: string): FoundPlace[] {
  gazetteer ??= loadGazetteer()
  const { region } = gazetteer
  const [town = '', ...rest] = text.split(',')
  const area = normalised(rest.at(-1) ?? '')
  const found =
    area === ''
      ? gazetteer.search(town, map.placesFound)
      : gazetteer
          .search(town, NAMESAKES)
          .filter(place => isWithin(place, area, region))
          .slice(0, map.placesFound)
  return found.map(({ name, country, admin1, latitude, longitude }) => {
    const names = new Set([region(`${country}.${admin1}`), countryName(country)])
    const zone = timeZoneAt(latitude, longitude) ?? null
    return { name, latitude, longitude, region: [...names].filter(Boolean).join(', ') || null, zone }
  })
}

/** As people write them. */
const shortCountries: Record<string, string> = { uk: 'united kingdom', usa: 'united states' }

function isWithin({ country, admin1, admin2 }: Settlement, area: string, region: Gazetteer['region']): boolean {
  const areas = [region(`${country}.${admin1}.${admin2}`), region(`${country}.${admin1}`), countryName(country)]
  return areas.some(name => name !== undefined && normalised(name).startsWith(shortCountries[area] ?? area))
}

/** Some large cities are listed by districts with a number: "Paris 15 Vaugirard". */
function townName(name: string): string {
  return name.replace(/^(\p{L}+) \d\d\b.*$/u, '$1')
}

/**
 * The city that a quarter belongs to. Not that of a town of its own, unless its district or state is the city: Croydon
 * is in "Greater London", but Hürth in the "Regierungsbezirk Köln" is no quarter of Cologne.
 */
function cityOf(settlement: Settlement, { townsAround, region }: Gazetteer): string | undefined {
  const { country, admin1, admin2, isTown } = settlement
  const areas = [region(`${country}.${admin1}.${admin2}`), region(`${country}.${admin1}`)].map(withoutKind)
  return townsAround(settlement)
    .filter(place => place.country === country && place.admin1 === admin1)
    .map(place => townName(place.name))
    .find(name => !isTown || areas.includes(name))
}

function withoutKind(area: string | undefined): string | undefined {
  return area?.replace(/^(Greater|City of|State of|Land) | (Stadt|City)$/g, '')
}

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** As people say: "Denmark" and "Hong Kong", not "Kingdom of Denmark" and "Hong Kong SAR China". */
function countryName(code: string): string | undefined {
  return countries.of(code)?.replace(/ SAR China$/, '')
}
