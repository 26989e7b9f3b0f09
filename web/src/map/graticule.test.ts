import { expect, test } from 'vitest'
import { degreesText, gridLines, scaleOf } from './graticule.ts'
import { limitView, project, readView } from './view.ts'

const sizes = [
  { width: 390, height: 490 },
  { width: 920, height: 840 },
  { width: 640, height: 320 },
]

test('wherever the map is, a meridian and a parallel are in sight, and not many', () => {
  for (const size of sizes) {
    for (const [latitude, longitude] of [
      [31.2181, 69.6406],
      [0, 0],
      [-84, 179.99],
      [84.9, -180],
      [-48.9, -123.4],
    ] as const) {
      for (let zoom = 0; zoom <= 12; zoom += 0.25) {
        const { meridians, parallels } = gridLines(limitView({ ...project(latitude, longitude), zoom }, size), size)
        for (const [lines, length] of [
          [meridians, size.width],
          [parallels, size.height],
        ] as const) {
          expect(lines.length).toBeGreaterThan(0)
          expect(lines.length).toBeLessThan(15)
          for (const { at } of lines) expect(at >= -0.01 && at <= length + 0.01).toBe(true)
        }
      }
    }
  }
})

test('degrees are written as people read them, also across the date line', () => {
  const view = limitView({ ...project(-17, 180), zoom: 8 }, { width: 800, height: 600 })
  const { meridians, parallels } = gridLines(view, { width: 800, height: 600 })
  const texts = meridians.map(({ degrees }) => degreesText(degrees, 'longitude'))
  expect(texts).toContain('179° E')
  expect(texts).toContain('179° W')
  expect(parallels.map(({ degrees }) => degreesText(degrees, 'latitude'))).toContain('17° S')
  expect(degreesText(31.25, 'latitude')).toBe('31.25° N')
  expect(degreesText(0, 'longitude')).toBe('0°')
})

test('the scale is a round distance that fits', () => {
  const at = (text: string) => scaleOf(readView(text) ?? { x: 0.5, y: 0.5, zoom: 0 })
  expect(at('31.2181,69.6406,12').text).toBe('2 km')
  expect(at('0,0,2').text).toMatch(/000 km$/)
  for (const text of ['84,10,12', '60,0,5', '0,0,0']) {
    expect(at(text).pixels).toBeGreaterThan(40)
    expect(at(text).pixels).toBeLessThanOrEqual(110)
  }
})
