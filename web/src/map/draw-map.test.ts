import { expect, test } from 'vitest'
import { drawMap, type MapContent } from './draw-map.ts'
import { project } from './view.ts'

const colours = { land: 'white', border: 'grey', label: 'black', halo: 'white' }
const atSea = { ...project(38.7, -9.1), zoom: 8 }
const lisbon = { name: 'Lisbon', latitude: 38.7, longitude: -9.1 }

/** A canvas without pixels, which records what is written on it. */
function written(content: Omit<MapContent, 'atlas'>, hadDegrees = false) {
  const texts: string[] = []
  const drawing = {
    canvas: { width: 800, height: 600 },
    measureText: (text: string) => ({ width: text.length * 7 }),
    fillText: (text: string) => texts.push(text),
  }
  const context = new Proxy(drawing, {
    get: (target, name) => (name in target ? target[name as keyof typeof target] : () => {}),
    set: () => true,
  }) as unknown as CanvasRenderingContext2D
  const size = { width: 800, height: 600, pixelRatio: 1 }
  const hasDegrees = drawMap(context, atSea, size, { atlas: undefined, ...content }, colours, hadDegrees)
  return { hasDegrees, degrees: texts.filter(text => text.includes('°')), texts }
}

test('degrees are written where there are no names, but not while the names are loading', () => {
  expect(written({ towns: [], complete: false }).degrees).toEqual([])
  expect(written({ towns: [], complete: true }).degrees).not.toEqual([])
  const named = written({ towns: [lisbon], complete: true })
  expect(named.texts).toContain('Lisbon')
  expect(named).toMatchObject({ hasDegrees: false, degrees: [] })
})

test('degrees stay while a map without names is moved, until a name is in sight', () => {
  expect(written({ towns: [], complete: false }, true).degrees).not.toEqual([])
  expect(written({ towns: [lisbon], complete: false }, true).degrees).toEqual([])
})
