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
    folder: null,
    search: '',
    type: null,
    place: null,
    area: null,
    tag: null,
    camera: null,
    year: null,
    date: null,
    uploader: null,
    heartedBy: null,
    bounds: null,
    at: null,
    undated: false,
    memory: null,
    newSince: null,
    sort: 'date',
    order: 'desc',
    names: false,
    file: null,
    note: null,
    album: null,
    addTo: null,
  })
})

test.each<Partial<GalleryAddress>>([
  { folder: 12 },
  { folder: 'root' },
  { search: 'côte & mer = 100 %' },
  { type: 'video' },
  { sort: 'size', order: 'asc', names: true },
  { sort: 'size', order: 'desc', names: false },
  { order: 'asc' },
  { place: 'São Paulo, Brazil', tag: 3, camera: 'Canon EOS 5D', year: 1950, uploader: 2 },
  { date: '2019-05' },
  { date: '2019-05-12', names: true },
  { folder: 3, heartedBy: 5 },
  { undated: true },
  { memory: '2019-11-17', file: 3 },
  { newSince: '2026-11-15T10:00:00.000Z' },
  { folder: 3, addTo: 4 },
  { area: 'London, United Kingdom' },
  { at: '38.72,-9.14,7.5', bounds: '-9.2,38.6,-9.1,38.8' },
  { file: 7 },
  { file: 7, note: 12 },
  { file: 7, note: 'new' },
  { folder: 3, search: 'beach', type: 'image', sort: 'name', order: 'desc', names: false, file: 99 },
])('the URL round-trips: %o', change => {
  const address = { ...usual, ...change }
  expect(readAddress(writeAddress(address))).toEqual(address)
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

test('favourites are a place of their own, and a filter within a folder', () => {
  const [place, filter] = [read('hearted_by=5'), read('hearted_by=5&folder=3')]
  expect(listOf(place)).toEqual({ hearted_by: 5, sort: 'date', order: 'desc' })
  expect([favouritesOf(place), isFiltered(place)]).toEqual([5, false])
  expect(withoutFilters({ ...place, search: 'x' })).toMatchObject({ folder: null, search: '', heartedBy: 5 })
  expect([favouritesOf(filter), isFiltered(filter)]).toEqual([null, true])
  expect(withoutFilters(filter)).toMatchObject({ folder: 3, heartedBy: null })
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
