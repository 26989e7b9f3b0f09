import { expect, test } from 'vitest'
import { mediaGrid } from '#contract/grid.ts'
import { bulkDelete, deleteMedia } from '#contract/media.ts'
import { mediaIds, timeline } from '#contract/media-list.ts'
import { listPlaces, mapClusters, mapExtent, mapTowns, searchPlaces } from '#contract/places.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { onBothEngines, onOneEngine } from '../../test/library.ts'
import { mergeNeighbours } from './clusters.ts'

const world = '-180,-90,180,90'

onBothEngines('the map', library => {
  test('shows files close to each other as one, and never those that are deleted', async () => {
    const ben = await memberOf(library())
    expect(await ben.call(mapClusters, { query: { bounds: world, zoom: 2 } })).toEqual([])
    expect(await ben.call(mapExtent)).toEqual({ bounds: null })
    const ids = await insertMedia(library(), [
      { name: 'lisbon-1.jpg', latitude: 38.71, longitude: -9.14 },
      { name: 'lisbon-2.jpg', latitude: 38.72, longitude: -9.13 },
      { name: 'sydney.jpg', latitude: -33.87, longitude: 151.21 },
      { name: 'pole.jpg', latitude: 90, longitude: 0 },
      { name: 'nowhere.jpg' },
    ])
    const [first = 0, second = 0, sydney = 0, pole = 0] = ids
    const clusters = await ben.call(mapClusters, { query: { bounds: world, zoom: 3 } })
    expect(await ben.call(mapExtent)).toEqual({ bounds: '-9.14,-33.87,151.21,90' })
    expect(clusters.map(({ count, cover }) => [count, cover.media_id])).toEqual([
      [2, second],
      [1, pole],
      [1, sydney],
    ])
    const [lisbon] = clusters
    expect(lisbon?.latitude).toBeCloseTo(38.715)
    expect(lisbon?.bounds).toBe('-9.14,38.71,-9.13,38.72')
    const near = await ben.call(mapClusters, { query: { bounds: '-9.3,38.6,-9,38.8', zoom: 12 } })
    expect(near.map(({ count }) => count)).toEqual([1, 1])

    await ben.call(deleteMedia, { params: { id: second } })
    const after = await ben.call(mapClusters, { query: { bounds: world, zoom: 3 } })
    expect(after.find(({ cover }) => cover.media_id === first)?.count).toBe(1)
    expect(after.flatMap(({ cover }) => cover.media_id)).not.toContain(second)
    expect((await ben.call(mediaIds, { query: { bounds: '-10,38,-9,39' } })).ids).toEqual([first])
  })

  test('names a cluster by what most of its files are in, and covers it with a file that is ready', async () => {
    const ben = await memberOf(library())
    const { ids } = await ben.call(mediaIds, { query: { bounds: world } })
    await ben.call(bulkDelete, { body: { fileIds: ids } })
    const file = (location: string | null, latitude: number, longitude: number) => ({
      name: 'a.jpg',
      latitude,
      longitude,
      location,
    })
    const [, , soho = 0, newest = 0] = await insertMedia(library(), [
      file('London, United Kingdom', 51.51, -0.12),
      file('Camden, London, United Kingdom', 51.54, -0.14),
      file('Soho, London, United Kingdom', 51.51, -0.13),
      file('Watford, United Kingdom', 51.65, -0.4),
      file('Paris, France', 48.85, 2.35),
      file('Bern, Switzerland', 46.9, 7.4),
      file('Basel, Switzerland', 47.5, 7.6),
      file('Lyon, France', 45.7, 4.8),
      file('Los Angeles, California, United States', 34.05, -118.24),
      file('Fresno, California, United States', 36.75, -119.77),
      file('Las Vegas, Nevada, United States', 36.17, -115.14),
    ])
    await library().rows(`update media set status = 'processing' where id = ${newest}`)
    const shown = async (zoom: number, bounds: string) =>
      (await ben.call(mapClusters, { query: { bounds, zoom } })).map(one => [one.count, one.place, one.elsewhere])
    expect(await shown(5, '-10,50,1,60')).toEqual([[4, 'London, United Kingdom', true]])
    expect(await shown(12, '-0.145,51.535,-0.135,51.545')).toEqual([[1, 'Camden, London, United Kingdom', false]])
    const [london] = await ben.call(mapClusters, { query: { bounds: '-10,50,1,60', zoom: 5 } })
    expect(london?.cover.media_id).toBe(soho)
    expect(await shown(2, '-130,30,-100,40')).toEqual([[3, 'California, United States', true]])
    expect(await shown(2, '0,44,10,48')).toEqual([[3, 'Switzerland', true]])
    const [unnamed = 0] = await insertMedia(library(), [file(null, 0, 20)])
    await library().rows(`update media set status = 'processing' where id = ${unnamed}`)
    expect(await shown(5, '19,-1,21,1')).toEqual([[1, null, false]])
  })

  test('shows fewer and larger clusters on a larger screen', async () => {
    const ben = await memberOf(library())
    await insertMedia(library(), [
      { name: 'a.jpg', latitude: 10, longitude: 100 },
      { name: 'b.jpg', latitude: 10, longitude: 101.5 },
    ])
    const clustersIn = async (bounds: string) => (await ben.call(mapClusters, { query: { bounds, zoom: 6 } })).length
    // 1.5° are 68 pixels. The first part of the map is 1,500 pixels wide, the second 3,600.
    expect(await clustersIn('85,0,118,20')).toBe(2)
    expect(await clustersIn('60,-20,140,40')).toBe(1)
  })

  test('lists the files in sight, also across the date line, in every kind of list', async () => {
    const ben = await memberOf(library())
    const [east = 0, west = 0] = await insertMedia(library(), [
      { name: 'taveuni-east.jpg', latitude: -16.8, longitude: 179.9 },
      { name: 'taveuni-west.jpg', latitude: -16.8, longitude: -179.9 },
      { name: 'africa.jpg', latitude: -16.8, longitude: 20 },
      { name: 'equator-north.jpg', latitude: 1, longitude: 180 },
      { name: 'equator-south.jpg', latitude: -1, longitude: -180 },
    ])
    const query = { bounds: '179,-17,-179,-16' }
    expect((await ben.call(mediaIds, { query })).ids.toSorted((a, b) => a - b)).toEqual([east, west])
    expect((await ben.call(timeline, { query })).total).toBe(2)
    expect((await ben.call(mediaGrid, { query })).files).toHaveLength(2)
    const clusters = await ben.call(mapClusters, { query: { ...query, zoom: 3 } })
    expect(clusters.map(({ count }) => count)).toEqual([1, 1])
    const onTheLine = await ben.call(mapClusters, { query: { bounds: '179,-2,-179,2', zoom: 3 } })
    expect(onTheLine.map(({ longitude }) => longitude).toSorted((a, b) => a - b)).toEqual([-180, 180])
  })

  test('refuses what is no part of the map', async () => {
    const ben = await memberOf(library())
    for (const query of [
      'bounds=1,2,3&zoom=2',
      'bounds=0,0,0,91&zoom=2',
      `bounds=${world}&zoom=13`,
      `bounds=${world}`,
    ]) {
      const { status } = await ben.fetch(`/api/map/clusters?${query}`)
      expect([query, status === 400 || status === 422]).toEqual([query, true])
    }
    expect((await ben.fetch('/api/media/grid?bounds=9,9')).status).toBeGreaterThanOrEqual(400)
  })
})

onBothEngines('the places', library => {
  test('are countries and their towns, with the quarters of a city in one, and filter the lists', async () => {
    const ben = await memberOf(library())
    const [soho = 0, london = 0, , , , trashed = 0] = await insertMedia(library(), [
      { name: 'soho.jpg', location: 'Soho, London, United Kingdom' },
      { name: 'london.jpg', location: 'London, United Kingdom' },
      { name: 'altona.jpg', location: 'Altona, Melbourne, Victoria, Australia' },
      { name: 'hoboken.jpg', location: 'Hoboken, New Jersey, United States' },
      { name: 'desert.jpg', location: 'Algeria' },
      { name: 'trashed.jpg', location: 'Oslo, Norway' },
      { name: 'percent.jpg', location: '100%, Norway_' },
    ])
    await ben.call(deleteMedia, { params: { id: trashed } })
    const countries = await ben.call(listPlaces)
    const shown = countries.map(({ name, count, towns }) => [
      name,
      count,
      towns.map(town => [town.name, town.area, town.count]),
    ])
    expect(shown).toEqual([
      ['United Kingdom', 2, [['London', 'London, United Kingdom', 2]]],
      ['Algeria', 1, []],
      ['Australia', 1, [['Melbourne, Victoria', 'Melbourne, Victoria, Australia', 1]]],
      ['Norway_', 1, [['100%', '100%, Norway_', 1]]],
      ['United States', 1, [['Hoboken, New Jersey', 'Hoboken, New Jersey, United States', 1]]],
    ])
    expect(countries[0]?.cover.media_id).toBe(london)
    for (const { area, count, towns } of countries) {
      for (const place of [{ area, count }, ...towns]) {
        expect((await ben.call(timeline, { query: { area: place.area } })).total).toBe(place.count)
      }
    }
    expect((await ben.call(mediaIds, { query: { area: 'London, United Kingdom' } })).ids).toContain(soho)
    expect((await ben.call(mediaIds, { query: { area: 'Kingdom' } })).ids).toEqual([])
  })
})

onOneEngine('the towns', library => {
  test('are looked up for one person after the other, so that many requests of one delay nobody else', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    for (const lookUp of [
      (member: typeof ben) => member.call(searchPlaces, { query: { name: 'a' } }),
      (member: typeof ben) => member.call(mapTowns, { query: { bounds: '0,40,12,52' } }),
    ]) {
      await lookUp(ben)
      let answered = 0
      const many = Array.from({ length: 20 }, () => lookUp(ben).finally(() => answered++))
      await lookUp(rose)
      expect(answered).toBeLessThan(10)
      await Promise.all(many)
    }
  })
})

test('clusters on both sides of an edge of the grid are merged, and the larger one keeps its place', () => {
  const cell = { south: 0, north: 0, cover: 1, latitude: 0 }
  const [lisbon, porto] = [new Map([['Lisbon', 3]]), new Map([['Porto', 5]])]
  // At zoom 2 a pixel is 0.35°, and there is an edge at 0°.
  const near = [
    { ...cell, longitude: -2, west: -2, east: -2, count: 3, locations: lisbon },
    { ...cell, longitude: 2, west: 2, east: 2, count: 5, locations: porto },
  ]
  const locations = new Map([...porto, ...lisbon])
  expect(mergeNeighbours(near, 2)).toEqual([{ ...cell, longitude: 2, west: -2, east: 2, count: 8, locations }])
  expect(mergeNeighbours(near, 6)).toHaveLength(2)
})
