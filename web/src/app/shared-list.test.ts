import { expect, test } from 'vitest'
import type { GuestFile } from '#contract/links.ts'
import { loadedList } from '../gallery/files/files.ts'
import { sectionsOf } from '../gallery/layout/sections.ts'
import { testMeasures } from '../gallery/layout/test-layouts.ts'
import { gridFileOf } from '../links/guest.ts'

test('guests see a heading that occurs twice above both of its photos, and the day between them under its own', () => {
  const dates = ['196X', '1966-05-03', '1964/1970']
  const files = dates.map((date, id): GuestFile => {
    const size = { width: 4, height: 3, duration: null, thumbhash: null, caption: null }
    return { id, date, file_type: 'image', ...size, pictures: true, video: false }
  })
  const { days } = loadedList(
    files.map(file => gridFileOf(1, file)),
    true,
  ).timeline
  expect(days.map(({ day, count }) => [day, count])).toEqual([
    ['196X', 1],
    ['1966-05-03', 1],
    ['196X', 1],
  ])
  const { headings } = sectionsOf(
    days.map((day, first) => ({ ...day, first })),
    testMeasures(),
  )
  expect(headings.map(({ date, first }) => [date, first])).toEqual([
    ['196X', 0],
    ['1966', 1],
    ['196X', 2],
  ])
})
