import { expect, test } from 'vitest'
import { scopeBetween, scopeOfLabel } from './days.ts'

test('days and months that follow each other are a range, and dates of less are their own', () => {
  expect(scopeBetween('2024-02', '2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(scopeBetween('2024-11-30', '2024-02')).toEqual({ from: '2024-02-01', to: '2024-11-30' })
  expect(scopeOfLabel('2024-02-03')).toEqual({ from: '2024-02-03', to: '2024-02-03' })
  expect(scopeOfLabel('1974')).toEqual({ heading: '1974' })
})
