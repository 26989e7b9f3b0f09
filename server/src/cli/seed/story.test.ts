import { expect, test } from 'vitest'
import { type StoryFile, tellStory } from './story.ts'

const until = new Date('2026-06-01T00:00:00Z')

function month({ taken }: StoryFile): string {
  return taken.local.slice(0, 7)
}

test('the story is the same however it is told', () => {
  const whole = [...tellStory(0, 500, until)]
  expect(whole.map(file => file.number)).toEqual([...Array(500).keys()])
  expect([...tellStory(0, 123, until), ...tellStory(123, 500, until)]).toEqual(whole)
})

test('the story spreads over fifteen years and ends before today', () => {
  const days = [...tellStory(0, 10_000, until)].map(file => file.taken.local.slice(0, 10)).sort()
  expect(days[0]?.slice(0, 4)).toBe('2012')
  expect(days.at(-1)?.localeCompare('2026-06-01')).toBe(-1)
})

test('one month of a hundred thousand files holds thirty thousand', () => {
  const months = new Map<string, number>()
  for (const file of tellStory(0, 100_000, until)) months.set(month(file), (months.get(month(file)) ?? 0) + 1)
  expect(Math.max(...months.values())).toBeGreaterThanOrEqual(30_000)
})
