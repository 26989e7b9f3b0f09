import { DAY } from '#contract/limits.ts'
import type { Day } from './days.ts'
import type { Arrangement, Measures } from './row-breaks.ts'

/** Squares of 100 px in four columns, without gaps. */
export function testMeasures(
  change: Partial<Measures> = {},
  arrangement: Arrangement = { kind: 'squares', columns: 4 },
): Measures {
  const columns = arrangement.kind === 'squares' ? arrangement.columns : 4
  return {
    width: columns * 100,
    gap: 0,
    captionHeight: 0,
    monthHeight: 40,
    dayHeight: 20,
    monthGap: 10,
    arrangement,
    ...change,
  }
}

export function testDay(day: string, count: number): Day {
  return { day, count, key: Date.parse(day) / DAY }
}
