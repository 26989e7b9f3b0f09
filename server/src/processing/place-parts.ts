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
