import { expect, test } from 'vitest'
import { scopeOfLabel, scopesOfHeading } from './days.ts'

test('the months of a heading are selected as one range, each year and decade by its own heading', () => {
  expect(scopesOfHeading(['2026-06'])).toEqual([{ from: '2026-06-01', to: '2026-06-30' }])
  expect(scopesOfHeading(['2024-02', '2023-11'])).toEqual([{ from: '2023-11-01', to: '2024-02-29' }])
  expect(scopesOfHeading(['1985-02', '1974', '1981-03', '196X'])).toEqual([
    { from: '1981-03-01', to: '1985-02-28' },
    { heading: '1974' },
    { heading: '196X' },
  ])
  expect(scopesOfHeading(['XXXX'])).toEqual([{ heading: 'XXXX' }])
})

test('a label selects its day or, where the day is not known, only the files below it', () => {
  expect(scopeOfLabel('2026-06-14')).toEqual({ from: '2026-06-14', to: '2026-06-14' })
  expect(scopeOfLabel('1985-07')).toEqual({ heading: '1985-07' })
})
