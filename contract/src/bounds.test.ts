import { expect, test } from 'vitest'
import { BoundsInText, readBounds, writeBounds } from './bounds.ts'

test.each(['0,0,0,0', '-180,-90,180,90', '170,-20,-170,-10', '1.5,2.25,3.125,4'])('%s are bounds', text => {
  expect(BoundsInText.safeParse(text).success).toBe(true)
})

test.each([
  '',
  '1,2,3',
  '1,2,3,4,5',
  '181,0,0,1',
  '0,-91,0,1',
  '0,10,0,5',
  'a,b,c,d',
  '1e2,0,0,0',
  ' 0,0,0,0',
  'NaN,0,0,0',
])('“%s” are none', text => {
  expect(BoundsInText.safeParse(text).success).toBe(false)
})

test('writing rounds outwards and stays on the earth', () => {
  const written = writeBounds({ west: -180.5, south: 1.00000049, east: 2.00000001, north: 90 })
  expect(BoundsInText.parse(written)).toBe('-180,1,2.000001,90')
  const small = { west: 0.0000001, south: -0.0000001, east: 0.0000002, north: 0.0000001 }
  expect(readBounds(BoundsInText.parse(writeBounds(small)))).toEqual({ west: 0, south: -1e-6, east: 1e-6, north: 1e-6 })
})
