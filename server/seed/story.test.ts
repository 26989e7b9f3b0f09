import sharp, { type Region } from 'sharp'
import { expect, test } from 'vitest'
import { paint } from './paint.ts'
import { type StoryFile, tellStory } from './story.ts'

const until = new Date('2026-06-01T00:00:00Z')

function month({ taken }: StoryFile): string {
  return taken.local.slice(0, 7)
}

test('the story is deterministic', () => {
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

test('a painted picture has no line along its edges, whatever its shape', async () => {
  const shapes = new Set<string>()
  for (const file of tellStory(0, 6, until)) {
    // Its ridges have one colour down to the lower edge.
    const picture = await paint({ ...file, scene: 'mountains' }, 'jpeg')
    const { width, height } = await sharp(picture).metadata()
    shapes.add(`${width} × ${height}`)
    const row = (top: number) => brightness(picture, { left: 0, top, width, height: 1 })
    const column = (left: number) => brightness(picture, { left, top: 0, width: 1, height })
    expect(Math.abs((await row(height - 1)) - (await row(height - 4)))).toBeLessThan(4)
    expect(Math.abs((await column(width - 1)) - (await column(width - 4)))).toBeLessThan(4)
  }
  expect(shapes.size).toBeGreaterThan(2)
})

/** Mean brightness of a region. */
async function brightness(picture: Buffer, part: Region): Promise<number> {
  const values = await sharp(picture).extract(part).greyscale().raw().toBuffer()
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
