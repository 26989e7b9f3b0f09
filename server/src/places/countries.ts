import type { Answer } from '#contract/endpoint.ts'
import { map } from '#contract/limits.ts'
import type { listPlaces } from '#contract/places.ts'
import { fileCards } from '../media/public.ts'
import { partsOf } from '../processing/place-parts.ts'
import type { PlacesDeps } from './clusters.ts'
import { countPlaces } from './places.sql.ts'

interface Area {
  name: string
  /** The filter of the lists. */
  area: string
  count: number
  /** The id of a file. */
  cover: number
}

interface Country extends Area {
  towns: Map<string, Area>
}

/** The countries and their towns, each with the number of its files. */
export async function listCountries({ db, storage }: PlacesDeps): Promise<Answer<typeof listPlaces>> {
  const countries = groupByCountry(await countPlaces(db.query)).sort(byCount)
  const shown = countries.map(({ towns, ...country }) => ({
    ...country,
    towns: [...towns.values()].sort(byCount).slice(0, map.townsOfCountry),
    town_count: towns.size,
  }))
  const ids = shown.flatMap(({ cover, towns }) => [cover, ...towns.map(town => town.cover)])
  const cards = await fileCards(db.query, storage, ids)
  const present = ({ cover: id, ...area }: Area) => {
    const { thumbnail_url = null, thumbhash = null } = cards.get(id) ?? {}
    return { ...area, cover: { media_id: id, thumbnail_url, thumbhash } }
  }
  return shown.map(({ towns, town_count, ...country }) => ({
    ...present(country),
    town_count,
    towns: towns.map(present),
  }))
}

function byCount(a: Area, b: Area): number {
  return b.count - a.count || a.name.localeCompare(b.name, 'en')
}

function groupByCountry(places: { location: string; count: number; cover: number }[]): Country[] {
  const countries = new Map<string, Country>()
  for (const { location, count, cover } of places) {
    const { country: name, town } = partsOf(location)
    const country = countries.get(name) ?? { name, area: name, count: 0, cover: 0, towns: new Map() }
    countries.set(name, country)
    add(country, count, cover)
    if (town === undefined) continue
    const known = country.towns.get(town.area) ?? { ...town, count: 0, cover: 0 }
    country.towns.set(town.area, known)
    add(known, count, cover)
  }
  return [...countries.values()]
}

function add(area: Area, count: number, cover: number): void {
  area.count += count
  area.cover = Math.max(area.cover, cover)
}
