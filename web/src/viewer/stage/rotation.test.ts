import { expect, test } from 'vitest'
import { rotationOfImage, savedSize } from './rotation.ts'

const file = {
  url: '/files/originals/a.jpg?signature=1',
  width: 400,
  height: 300,
  rotation: { saved: 90, variants: 0, url: 0 },
} as const

test('a size is that of the saved direction, whether its variants are made again or not', () => {
  expect(savedSize(file)).toEqual({ width: 300, height: 400 })
  const made = { ...file, width: 300, height: 400, rotation: { saved: 90, variants: 90, url: 0 } } as const
  expect(savedSize(made)).toEqual({ width: 300, height: 400 })
  expect(savedSize({ ...file, rotation: null })).toEqual({ width: 400, height: 300 })
  expect(savedSize({ ...file, width: null })).toBeUndefined()
})

test('the full-size file and the variants each have their own rotation', () => {
  const made = { ...file, rotation: { saved: 90, variants: 90, url: 0 } } as const
  expect(rotationOfImage(made, '/files/originals/a.jpg?signature=2')).toBe(0)
  expect(rotationOfImage(made, 'blob:1')).toBe(0)
  expect(rotationOfImage(made, '/files/variants/a.jpg')).toBe(90)
  expect(rotationOfImage({ ...file, rotation: null }, '/files/variants/a.jpg')).toBe(0)
})
