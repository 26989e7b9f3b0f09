import { describe, expect, test } from 'vitest'
import {
  favouritesOf,
  type GalleryAddress,
  isFiltered,
  listOf,
  readAddress,
  sortedBy,
  withoutFilters,
  writeAddress,
} from './gallery-address.ts'

const read = (search: string) => readAddress(new URLSearchParams(search))
const usual = read('')

test('defaults are omitted from the URL', () => {
  expect(writeAddress(usual).toString()).toBe('')
  expect(usual).toEqual({
    filter: {},
    sort: 'date',
    order: 'desc',
    names: false,
    album: null,
    at: null,
    file: null,
    note: null,
    addTo: null,
  })
})

test.each<[url: string, address: Partial<GalleryAddress>]>([
  ['folder=12', { filter: { folder_id: 12 } }],
  ['folder=root', { filter: { folder_id: 'root' } }],
  ['search=c%C3%B4te+%26+mer+%3D+100+%25', { filter: { search: 'côte & mer = 100 %' } }],
  ['type=video', { filter: { type: 'video' } }],
  ['sort=size', { sort: 'size', order: 'asc', names: true }],
  ['sort=size&order=desc&names=off', { sort: 'size', order: 'desc', names: false }],
  ['order=asc', { order: 'asc' }],
  [
    'place=S%C3%A3o+Paulo%2C+Brazil&tag=3&camera=Canon+EOS+5D&year=1950&uploader=2',
    { filter: { place: 'São Paulo, Brazil', tag: 3, camera: 'Canon EOS 5D', year: 1950, uploader: 2 } },
  ],
  ['date=2019-05', { filter: { date: '2019-05' } }],
  ['date=1964%2F1970', { filter: { date: '1964/1970' } }],
  ['date=2019-05-12&names=on', { filter: { date: '2019-05-12' }, names: true }],
  ['folder=3&hearted_by=5', { filter: { folder_id: 3, hearted_by: 5 } }],
  ['undated=true', { filter: { undated: 'true' } }],
  ['memory=2019-11-17&file=3', { filter: { memory: '2019-11-17' }, file: 3 }],
  ['new_since=2026-11-15T10%3A00%3A00.000Z', { filter: { new_since: '2026-11-15T10:00:00.000Z' } }],
  ['folder=3&add_to=4', { filter: { folder_id: 3 }, addTo: 4 }],
  ['area=London%2C+United+Kingdom', { filter: { area: 'London, United Kingdom' } }],
  [
    'bounds=-9.2%2C38.6%2C-9.1%2C38.8&at=38.72%2C-9.14%2C7.5',
    { filter: { bounds: '-9.2,38.6,-9.1,38.8' }, at: '38.72,-9.14,7.5' },
  ],
  ['file=7', { file: 7 }],
  ['file=7&note=12', { file: 7, note: 12 }],
  ['file=7&note=new', { file: 7, note: 'new' }],
  [
    'folder=3&search=beach&type=image&sort=name&order=desc&names=off&file=99',
    {
      filter: { folder_id: 3, search: 'beach', type: 'image' },
      ...{ sort: 'name', order: 'desc', names: false, file: 99 },
    },
  ],
])('a bookmark keeps its meaning: %s', (url, change) => {
  const address = { ...usual, ...change }
  expect(read(url)).toEqual(address)
  expect(writeAddress(address).toString()).toBe(url)
})

test('an album is part of the path, not of the query', () => {
  expect(read('album=3')).toEqual(usual)
  expect(writeAddress({ ...usual, filter: { album: 3 } }).toString()).toBe('')
})

test('invalid parameters fall back to defaults', () => {
  expect(
    read('folder=-3&type=audio&sort=colour&order=sideways&view=cube&names=maybe&file=1e9&note=old&search=++'),
  ).toEqual(usual)
  expect(read('folder=0&file=99999999999999999999')).toEqual(usual)
  expect(read('date=2019-02-30&year=99999&tag=x&uploader=-1&place=+&camera=')).toEqual(usual)
  expect(read(`year=0&search=${'x'.repeat(201)}&place=${'x'.repeat(501)}`)).toEqual(usual)
})

test.each([
  ['date', 'desc'],
  ['name', 'asc'],
  ['size', 'asc'],
  ['type', 'asc'],
  ['location', 'asc'],
] as const)('sorting by %s starts with %s', (sort, order) => {
  expect(sortedBy({ ...usual, sort: 'size', order: 'desc' }, sort)).toMatchObject({ sort, order })
  expect(read(`sort=${sort}`).order).toBe(order)
})

describe('names below the thumbnails', () => {
  test('are shown by default unless sorted by date', () => {
    expect(sortedBy(usual, 'name').names).toBe(true)
    expect(sortedBy(read('sort=name'), 'date').names).toBe(false)
  })

  test('keep the choice of the person', () => {
    expect(sortedBy(read('names=on'), 'name').names).toBe(true)
    expect(sortedBy(read('sort=name&names=off'), 'size').names).toBe(false)
  })
})

test('favourites are a place of their own, and a filter within a folder or an album', () => {
  const [place, filter] = [read('hearted_by=5'), read('hearted_by=5&folder=3')]
  expect(listOf(place)).toEqual({ hearted_by: 5, sort: 'date', order: 'desc' })
  expect([favouritesOf(place), isFiltered(place)]).toEqual([5, false])
  expect(withoutFilters({ ...place, filter: { ...place.filter, search: 'x' } }).filter).toEqual({ hearted_by: 5 })
  expect([favouritesOf(filter), isFiltered(filter)]).toEqual([null, true])
  const inAlbum: GalleryAddress = { ...place, album: { id: 1, order: 'oldest' } }
  expect([favouritesOf(inAlbum), isFiltered(inAlbum)]).toEqual([null, true])
  expect(withoutFilters(filter).filter).toEqual({ folder_id: 3 })
})

test('a memory begins with its first photo, whatever the order of the gallery is', () => {
  expect(listOf(read('memory=2019-11-17&sort=size'))).toEqual({ memory: '2019-11-17', sort: 'date', order: 'asc' })
})

test('the view does not change the list', () => {
  expect(listOf(read('view=list&names=on&file=3'))).toEqual(listOf(usual))
  expect(listOf(read('folder=4&search=x&type=image'))).toEqual({
    folder_id: 4,
    search: 'x',
    type: 'image',
    sort: 'date',
    order: 'desc',
  })
})
