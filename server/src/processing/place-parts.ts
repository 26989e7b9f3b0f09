/** Countries where the state is part of the name of a place, since many towns share a name. */
const countriesWithStates = {
  US: 'United States',
  CA: 'Canada',
  AU: 'Australia',
  BR: 'Brazil',
  MX: 'Mexico',
  IN: 'India',
}

/** By the name or the code of a country. */
export function namesStates(country: string): boolean {
  return Object.hasOwn(countriesWithStates, country) || Object.values(countriesWithStates).includes(country)
}

export interface PlaceParts {
  country: string
  /** The state where places are named with it, else the country. */
  region: string
  /** Absent where only a country is known. `area` is the end of the location that all of the town have. */
  town?: { name: string; area: string }
}

/** "Soho, London, United Kingdom" belongs to London; "Hoboken, New Jersey, United States" is a town in a state. */
export function partsOf(location: string): PlaceParts {
  const parts = location.split(', ')
  const country = parts.at(-1) ?? location
  const area = parts.slice(namesStates(country) ? -3 : -2)
  const region = area.length === 3 ? area.slice(1).join(', ') : country
  return parts.length === 1
    ? { country, region }
    : { country, region, town: { name: area.slice(0, -1).join(', '), area: area.join(', ') } }
}
