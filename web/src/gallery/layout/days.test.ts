import { expect, test } from 'vitest'
import { scopeOfHeading, scopeOfLabel } from './days.ts'

test('a heading selects its whole month, and of a year or decade only the files of which no more is known', () => {
  expect(scopeOfHeading('2026-06')).toEqual({ from: '2026-06-01', to: '2026-06-30' })
  expect(scopeOfHeading('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  for (const heading of ['1974', '196X', 'XXXX']) expect(scopeOfHeading(heading)).toEqual({ heading })
})

test('a label selects its day or, where the day is not known, only the files below it', () => {
  expect(scopeOfLabel('2026-06-14')).toEqual({ from: '2026-06-14', to: '2026-06-14' })
  expect(scopeOfLabel('1985-07')).toEqual({ heading: '1985-07' })
})
