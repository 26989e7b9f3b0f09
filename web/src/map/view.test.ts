import { describe, expect, test } from 'vitest'
import { BoundsInText, readBounds, writeBounds } from '#contract/bounds.ts'
import {
  boundsOf,
  isWhole,
  limitView,
  offsetTo,
  project,
  readView,
  unproject,
  viewOf,
  worldWidth,
  writeView,
  zoomAround,
} from './view.ts'

const size = { width: 800, height: 600 }

test.each([
  [0, 0],
  [51.5, -0.12],
  [-33.9, 151.2],
  [-16.8, 179.99],
])('%d, %d is where it was after projecting it and back', (latitude, longitude) => {
  const { x, y } = project(latitude, longitude)
  const back = unproject(x, y)
  expect(back.latitude).toBeCloseTo(latitude, 9)
  expect(back.longitude).toBeCloseTo(longitude, 9)
})

test('the URL keeps the view, and nonsense in it is ignored', () => {
  const view = { ...project(38.7169, -9.1399), zoom: 7.25 }
  const read = readView(writeView(view))
  expect(writeView(read ?? view)).toBe('38.7169,-9.1399,7.25')
  for (const text of [null, '', '1,2', 'a,b,c', '1,2,3,4', '1e5,0,0', '99,0,3', '0,999,3', '-91,0,3'])
    expect(readView(text)).toBeNull()
})

test('the world fills the map, and the zoom ends with the atlas', () => {
  expect(worldWidth(limitView({ x: 0.5, y: 0.5, zoom: -3 }, size).zoom)).toBeCloseTo(800)
  expect(limitView({ x: 0.5, y: 0.5, zoom: 30 }, size).zoom).toBe(12)
  const top = limitView({ x: 1.25, y: -4, zoom: 5 }, size)
  expect(top.x).toBeCloseTo(0.25)
  expect(top.y).toBeCloseTo(300 / worldWidth(5))
})

test('zooming keeps the point under the pointer', () => {
  const view = { x: 0.4, y: 0.3, zoom: 4 }
  const next = zoomAround(view, 6, 120, -80)
  expect(next.x + 120 / worldWidth(6)).toBeCloseTo(view.x + 120 / worldWidth(4))
  expect(next.y - 80 / worldWidth(6)).toBeCloseTo(view.y - 80 / worldWidth(4))
})

describe('the bounds in sight', () => {
  test('contain what is shown, and whole tiles change rarely', () => {
    const view = limitView({ ...project(45, 10), zoom: 6 }, size)
    const [exact, whole] = [boundsOf(view, size, 'exact'), boundsOf(view, size, 'whole')]
    expect(whole.west).toBeLessThanOrEqual(exact.west)
    expect(whole.north).toBeGreaterThanOrEqual(exact.north)
    const moved = { ...view, x: view.x + 1 / worldWidth(6) }
    expect(boundsOf(moved, size, 'whole')).toEqual(whole)
  })

  test('cross the date line where the map does', () => {
    const { west, east } = boundsOf(limitView({ ...project(-17, 180), zoom: 6 }, size), size, 'exact')
    expect(west).toBeGreaterThan(east)
  })

  test('are valid for every view', () => {
    for (const zoom of [0, 2.5, 5, 12]) {
      for (const longitude of [-180, -90, 0, 179.9]) {
        for (const latitude of [-85, 0, 85]) {
          const view = limitView({ ...project(latitude, longitude), zoom }, size)
          for (const tiles of ['exact', 'whole'] as const) {
            expect(BoundsInText.safeParse(writeBounds(boundsOf(view, size, tiles))).success).toBe(true)
          }
        }
      }
    }
  })

  test('of a fitted view contain what it was fitted to', () => {
    for (const text of ['-9.2,38.6,-9.1,38.8', '170,-20,-170,-10', '5,5,5,5']) {
      const wanted = readBounds(text)
      const view = viewOf(wanted, size)
      const shown = boundsOf(view, size, 'exact')
      expect(shown.south).toBeLessThan(wanted.south)
      expect(shown.north).toBeGreaterThan(wanted.north)
      expect(Math.abs(offsetTo(view, project(0, wanted.west).x)) * worldWidth(view.zoom)).toBeLessThan(400)
      expect(view.zoom).toBeLessThanOrEqual(10)
    }
  })
})

test('the whole world is shown where the map cannot zoom out further', () => {
  const whole = limitView({ x: 0.5, y: 0.5, zoom: 0 }, size)
  expect(isWhole(whole, size)).toBe(true)
  expect(isWhole({ ...whole, zoom: whole.zoom + 0.5 }, size)).toBe(false)
})
