import { expect, test } from 'vitest'
import { startBench } from '../../test/processing/start.ts'

const { processing } = startBench()

test.each([
  [36.742, -5.167, 'Ronda, Spain'],
  [48.8584, 2.2945, 'Paris, France'],
  [51.5136, -0.1365, 'Soho, London, United Kingdom'],
  [40.744, -74.0324, 'Hoboken, New Jersey, United States'],
  [35.0116, 135.7681, 'Kyoto, Japan'],
  [52.5163, 13.3777, 'Tiergarten, Berlin, Germany'],
  [18.4655, -66.1057, 'San Juan, Puerto Rico'],
  [-33.9249, 18.4241, 'Cape Town, South Africa'],
  // Quarters belong to their city, towns beside it do not.
  [52.3746, 9.738, 'Mitte, Hannover, Germany'],
  [41.8835, 12.467, 'Trastevere, Rome, Italy'],
  [51.376, -0.098, 'Croydon, London, United Kingdom'],
  [50.877, 6.876, 'Hürth, Germany'],
  [41.45, 2.247, 'Badalona, Spain'],
  [-37.8697, 144.8304, 'Altona, Melbourne, Victoria, Australia'],
  [55.699, 12.549, 'Frederiksberg, Denmark'],
])('%d, %d is %s', async (latitude, longitude, name) => {
  expect(await processing.placeName(latitude, longitude)).toBe(name)
})

test('on either side of a border the country is the right one', async () => {
  expect(await processing.placeName(36.1408, -5.3536)).toMatch(/Gibraltar$/)
  expect(await processing.placeName(36.165, -5.348)).toMatch(/Spain$/)
})

test('on either side of the date line it is the same island', async () => {
  const [east, west] = [await processing.placeName(-16.8, 179.99), await processing.placeName(-16.8, -179.99)]
  expect(east).toMatch(/Fiji$/)
  expect(west).toBe(east)
})

test('in a desert only the country is named', async () => {
  expect(await processing.placeName(23.5, 3)).toBe('Algeria')
  expect(await processing.placeName(-90, 0)).toBe('Antarctica')
})

test('near the coast the next place on land is named', async () => {
  expect(await processing.placeName(43.6, 7.4)).toMatch(/France$/)
})

test.each([
  [30, -40],
  [90, 0],
  [90, 180],
  [0.0001, 0.0001],
])('nothing is named on the high seas at %d, %d', async (latitude, longitude) => {
  expect(await processing.placeName(latitude, longitude)).toBeUndefined()
})

test('a map is labelled with its largest towns first, and with villages where it is small', async () => {
  const iberia = await processing.townsWithin({ west: -10, south: 37.5, east: 3, north: 44 })
  expect(iberia.slice(0, 2).map(town => town.name)).toEqual(['Madrid', 'Barcelona'])
  expect(iberia.length).toBeGreaterThan(100)
  const hills = await processing.townsWithin({ west: -5.4, south: 36.5, east: -5.0, north: 36.9 })
  expect(hills[0]?.name).toBe('Ronda')
  expect(hills.map(town => town.name)).toContain('Grazalema')
})

test('a map across the date line has the towns of both sides', async () => {
  const names = (await processing.townsWithin({ west: 176, south: -20, east: -174, north: -10 })).map(town => town.name)
  expect(names).toEqual(expect.arrayContaining(['Suva', 'Alo']))
})

test('places are found by the beginning of their names, whatever case or accents', async () => {
  const names = async (text: string) =>
    (await processing.searchPlaces(text)).map(({ name, region }) => `${name} (${region})`)
  expect((await names('LISB'))[0]).toBe('Lisbon (Lisbon, Portugal)')
  expect((await names('sao paulo'))[0]).toMatch(/^São Paulo .*Brazil/)
  expect((await names('grazalema'))[0]).toBe('Grazalema (Andalusia, Spain)')
  expect((await names('lon'))[0]).toMatch(/^London .*United Kingdom/)
  expect((await processing.searchPlaces('Grazalema'))[0]?.zone).toBe('Europe/Madrid')
  expect((await names('Falmouth'))[0]).toBe('Falmouth (England, United Kingdom)')
  expect((await names('Falmouth, Jam'))[0]).toBe('Falmouth (Trelawny Parish, Jamaica)')
  expect((await names('Lisbon, Portugal'))[0]).toBe('Lisbon (Lisbon, Portugal)')
  expect((await names('Cambridge, USA'))[0]).toMatch(/United States\)$/)
  expect((await names('St. Ives, UK'))[0]).toMatch(/^(St|Saint) Ives .*United Kingdom/)
  expect(await names('Lisbon, Norway')).toEqual([])
  expect(await names('qqqq')).toEqual([])
  expect(await names("'")).toEqual([])
})

test.each([
  ['München', 'Munich'],
  ['munchen', 'Munich'],
  ['Muenchen', 'Munich'],
  ['Köln', 'Köln'],
  ['Cologne', 'Köln'],
  ['Wien', 'Vienna'],
  ['Firenze', 'Florence'],
  ['Praha', 'Prague'],
  ['lisboa', 'Lisbon'],
  ['Genève', 'Geneva'],
  ['kobenhavn', 'Copenhagen'],
  ['Roma', 'Rome'],
  ['Moskau', 'Moscow'],
  ['Москва', 'Moscow'],
  // Half of a name in another language does not hide the towns that are shown by it.
  ['min', 'Minsk'],
  ['york', 'York'],
])('%s finds %s', async (text, name) => {
  expect((await processing.searchPlaces(text))[0]?.name).toBe(name)
})
