import { describe, expect, test } from 'vitest'
import { Layout, type Row } from './layout.ts'
import { testDay, testMeasures } from './test-layouts.ts'

const measures = testMeasures()

/** Three short days that flow, a long one, two that flow again, and another month. */
const days = [
  testDay('2026-06-14', 3),
  testDay('2026-06-13', 1),
  testDay('2026-06-12', 2),
  testDay('2026-06-10', 9),
  testDay('2026-06-09', 1),
  testDay('2026-06-08', 1),
  testDay('2026-05-01', 4),
]
const layout = Layout.byDay(days, measures)
const rows = layout.rowsBetween(0, layout.height)

/** One to forty files a day. */
const severalMonths = Array.from({ length: 120 }, (_, i) => {
  const date = new Date(Date.UTC(2026, 5, 14) - i * 86_400_000).toISOString().slice(0, 10)
  return testDay(date, 1 + ((i * 7919) % 40))
})

/** Landscapes, portraits, a panorama and a very tall picture. */
const proportionAt = (index: number) => [1.5, 0.75, 1.33, 0.66, 1.78, 1, 8, 0.1][(index * 7) % 8] ?? 1
const proportional = (width: number) =>
  testMeasures({ width, gap: 4 }, { kind: 'proportions', rowHeight: 100, proportionAt })

const landscapeAt = (index: number) => [1.5, 0.75, 1.33, 1][(index * 7) % 4] ?? 1
const dateBefore = (days: number) =>
  new Date(Date.UTC(2026, 5, 14) - Math.round(days) * 86_400_000).toISOString().slice(0, 10)

const shapes = {
  squares: testMeasures({ gap: 4 }),
  'one column': testMeasures({}, { kind: 'squares', columns: 1 }),
  'true proportions': proportional(800),
  'true proportions on a phone': proportional(300),
}

describe('a layout by day', () => {
  test('has a heading for each month and one line of labels for each row in which a day starts', () => {
    expect(rows.map(({ kind, first, count }) => `${kind} ${first}+${count}`)).toEqual([
      'months 0+4',
      'days 0+4',
      'files 0+4',
      'days 4+2',
      'files 4+2',
      'days 6+4',
      'files 6+4',
      'files 10+4',
      'files 14+1',
      'days 15+2',
      'files 15+2',
      'months 17+4',
      'days 17+4',
      'files 17+4',
    ])
    expect(layout.rowCount).toBe(14)
    expect(layout.height).toBe(2 * 40 + 10 + 5 * 20 + 7 * 100)
  })

  // Rows of a phone, a tablet, a desktop and a screen 2,560 px wide, in squares and true proportions.
  test.each([
    testMeasures({ width: 358, gap: 4 }, { kind: 'squares', columns: 3 }),
    testMeasures({ width: 2_170, gap: 4 }, { kind: 'squares', columns: 5 }),
    ...[358, 700, 1_050, 2_170].map(width => ({
      ...proportional(width),
      arrangement: { kind: 'proportions', rowHeight: width > 2_000 ? 288 : 128, proportionAt: landscapeAt } as const,
    })),
  ])('never gives a day with one photo a row of its own', measures => {
    for (let seed = 1; seed <= 60; seed++) {
      const counts = Array.from(
        { length: 30 },
        (_, i) => [1, 1, 2, 1, 25, 1, 3, 90][(i * seed * 7 + i + seed) % 8] ?? 1,
      )
      // From a few days to a few years between two days with photos.
      const days = counts.map((count, i) => testDay(dateBefore((i * (seed % 5) ** 4 * 7) / 2 + i), count))
      const layout = Layout.byDay(days, measures)
      const alone = layout.rowsBetween(0, layout.height).filter(({ kind, count }) => kind === 'files' && count === 1)
      const firsts = new Map(days.map((day, i) => [counts.slice(0, i).reduce((a, b) => a + b, 0), day]))
      expect(alone.filter(({ first }) => firsts.get(first)?.count === 1)).toEqual([])
    }
  })

  test('gives a panorama at the end a row of its own instead of making the photos beside it tiny', () => {
    for (const width of [358, 1_050, 2_170]) {
      for (let before = 1; before < 40; before++) {
        const proportionAt = (index: number) => (index === before ? 6 : landscapeAt(index))
        const rowHeight = width < 1_000 ? 128 : 220
        const measures = testMeasures({ width, gap: 4 }, { kind: 'proportions', rowHeight, proportionAt })
        const layout = Layout.byDay([testDay('2026-06-14', before), testDay('2026-06-13', 1)], measures)
        const low = layout
          .rowsBetween(0, layout.height)
          .filter(({ kind, count, photoHeight }) => kind === 'files' && count > 2 && photoHeight < rowHeight / 2)
        expect(low).toEqual([])
      }
    }
  })

  const datesOf = (layout: Layout, kind: Row['kind']) =>
    layout
      .rowsBetween(0, layout.height)
      .filter(row => row.kind === kind)
      .map(row => layout.labelsIn(row).map(({ date }) => date))

  test('has a heading for the year where its months have less than a row, and never one for a range', () => {
    const short = Layout.byDay(
      [
        testDay('2026-09-20', 4),
        testDay('2026-08-20', 1),
        testDay('2026-06-20', 1),
        testDay('2026-03-20', 3),
        testDay('2025-12-01', 1),
        testDay('2024-02', 1),
      ],
      measures,
    )
    expect(datesOf(short, 'months')).toEqual([['2026-09'], ['2026'], ['2025', '2024']])
    expect(datesOf(short, 'days')).toEqual([
      ['2026-09-20'],
      ['2026-08-20', '2026-06-20', '2026-03-20'],
      ['2025-12-01', '2024-02'],
    ])
    const [, year, years] = short.rowsBetween(0, short.height).filter(({ kind }) => kind === 'months')
    expect(short.labelsIn(year as Row)).toMatchObject([
      { date: '2026', first: 4, count: 5, scope: { from: '2026-03-20', to: '2026-08-20' }, isLessExact: false },
    ])
    expect(short.labelsIn(years as Row).map(({ scope, column }) => [scope, column])).toEqual([
      [{ from: '2025-12-01', to: '2025-12-01' }, 1],
      [{ from: '2024-02-01', to: '2024-02-29' }, 2],
    ])
  })

  test('selects all of a year below its heading, also oldest first', () => {
    const oldestFirst = Layout.byDay(
      [testDay('2025-01-03', 1), testDay('2025-04', 1), testDay('2025-11-30', 1)],
      measures,
    )
    const [heading] = oldestFirst.rowsBetween(0, 1)
    expect(oldestFirst.labelsIn(heading as Row)).toMatchObject([{ scope: { from: '2025-01-03', to: '2025-11-30' } }])
  })

  test('starts a year that has more than a row with one, and lets the others flow into each other, but not undated files', () => {
    const sparse = Layout.byDay(
      [
        testDay('2026-09-20', 5),
        testDay('2025-12-01', 1),
        testDay('2025-03-02', 6),
        testDay('2004-08-20', 1),
        testDay('1985-07', 1),
        testDay('1974', 1),
        testDay('195X', 1),
        testDay('XXXX', 2),
      ],
      measures,
    )
    expect(datesOf(sparse, 'months')).toEqual([
      ['2026-09'],
      ['2025', '2025-03'],
      ['2004'],
      ['1985', '1974', '195X'],
      ['XXXX'],
    ])
    // The heading says all that is known of a year or decade.
    expect(datesOf(sparse, 'days')).toEqual([['2026-09-20'], ['2025-12-01', '2025-03-02'], ['2004-08-20'], ['1985-07']])
  })

  test('names each date with another middle: summer 1974 is not 1974', () => {
    const old = Layout.byDay([testDay('1974', 2), testDay('1974', 1), testDay('196X', 1)], measures)
    const [headings] = old.rowsBetween(0, old.height)
    expect(old.labelsIn(headings as Row)).toMatchObject([
      { date: '1974', first: 0, count: 2, isLessExact: true },
      { date: '1974', first: 2, count: 1, isLessExact: true },
      { date: '196X', first: 3, count: 1, isLessExact: true },
    ])
  })

  test('has years alone in the overview', () => {
    const overview = Layout.byDay(severalMonths, { ...measures, yearsOnly: true })
    expect(datesOf(overview, 'months')).toEqual([['2026']])
    expect(datesOf(overview, 'days')).toEqual([])
  })

  test('puts the label of each day above its first file', () => {
    const [, labels] = rows
    expect(layout.labelsIn(labels as Row)).toMatchObject([
      { date: '2026-06-14', column: 0, left: 0, width: 300 },
      { date: '2026-06-13', column: 3, left: 300, width: 100 },
    ])
    expect(layout.labelsIn(rows[5] as Row)).toMatchObject([{ date: '2026-06-10', column: 0, left: 0, width: 400 }])
  })

  test('moves nothing in other months, nor beside a long day, when a file is added', () => {
    const added = Layout.byDay([testDay('2026-06-14', 4), ...days.slice(1)], measures)
    for (const index of [6, 15, 17, 20]) {
      const { top: _, ...before } = layout.boxOf(index)
      expect(added.boxOf(index + 1)).toMatchObject(before)
    }
  })

  test('rejects an index out of range', () => {
    expect(() => layout.rowOf(21)).toThrow(RangeError)
    expect(() => layout.rowOf(-1)).toThrow(RangeError)
  })
})

describe.each(Object.entries(shapes))('rows of %s', (_, measures) => {
  const whole = Layout.byDay(severalMonths, measures)
  const all = whole.rowsBetween(0, whole.height)
  const ofFiles = all.filter(({ kind }) => kind === 'files')

  test('contain every file once and in order', () => {
    const indexes = ofFiles.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i))
    expect(indexes).toEqual(Array.from({ length: whole.total }, (_, i) => i))
  })

  test('are numbered consecutively and follow each other without overlap', () => {
    expect(all.map(row => row.number)).toEqual(Array.from({ length: whole.rowCount }, (_, i) => i + 1))
    let end = 0
    for (const row of all) {
      if (Math.abs(row.top - end) > 0.001) throw new Error(`Row ${row.number} starts at ${row.top}, not at ${end}`)
      end = row.top + row.height
    }
    expect(whole.height).toBeCloseTo(end)
  })

  test('fit into the width, with equal gaps', () => {
    for (const row of ofFiles) {
      const boxes = whole.boxesIn(row)
      let next = 0
      for (const { left, width } of boxes) {
        if (left !== next || width < 1) throw new Error(`Row ${row.number}: ${JSON.stringify(boxes)}`)
        next = left + width + measures.gap
      }
      if (next - measures.gap > measures.width) throw new Error(`Row ${row.number} is too wide`)
    }
  })

  test('are those that intersect a range', () => {
    for (let top = -300; top < whole.height + 500; top += 977) {
      const expected = all.filter(row => row.top < top + 900 && row.top + row.height > top)
      expect(whole.rowsBetween(top, top + 900)).toEqual(expected)
    }
  })

  test('agree with the row of each file and the files at each position', () => {
    for (const row of ofFiles) {
      expect(whole.rowOf(row.first)).toEqual(row)
      expect(whole.rowOf(row.first + row.count - 1)).toEqual(row)
      expect(whole.indexAt(row.top + row.height / 2)).toBe(row.first)
      expect(whole.lastIndexAt(row.top + row.height / 2)).toBe(row.first + row.count - 1)
    }
  })

  test('have a label for every day', () => {
    const labels = all.filter(({ kind }) => kind === 'days').flatMap(row => whole.labelsIn(row))
    expect(labels.map(label => label.date)).toEqual(severalMonths.map(({ day }) => day))
  })
})

describe('rows of true proportions', () => {
  const flat = (proportions: number[], width = 1_000) =>
    Layout.flat(
      proportions.length,
      testMeasures(
        { width, gap: 4 },
        { kind: 'proportions', rowHeight: 200, proportionAt: index => proportions[index] ?? 1 },
      ),
    )
  const heights = (layout: Layout) => layout.rowsBetween(0, layout.height).map(row => row.photoHeight)

  test('fill the width exactly, except the last one', () => {
    const layout = flat(Array.from({ length: 40 }, (_, i) => [1.5, 0.66, 1.33][i % 3] ?? 1))
    const rows = layout.rowsBetween(0, layout.height)
    for (const row of rows.slice(0, -1)) {
      const last = layout.boxesIn(row).at(-1)
      expect((last?.left ?? 0) + (last?.width ?? 0)).toBe(1_000)
      expect(Math.abs(Math.log2(row.photoHeight / 200))).toBeLessThan(0.5)
    }
  })

  test('do not stretch the last row', () => {
    expect(heights(flat([1.5, 1.5]))).toEqual([200])
    expect(flat([1.5]).boxOf(0)).toEqual({ top: 0, left: 0, width: 300 })
  })

  test('have one photo each where that is asked for, not higher than the screen', () => {
    const shown = [1.5, 0.5, 3]
    const layout = Layout.flat(
      3,
      testMeasures(
        { width: 900, gap: 4 },
        { kind: 'proportions', rowHeight: 700, proportionAt: i => shown[i] ?? 1, oneARow: true },
      ),
    )
    expect(layout.rowsBetween(0, layout.height).map(({ count, photoHeight }) => [count, photoHeight])).toEqual([
      [1, 600],
      [1, 700],
      [1, 300],
    ])
    expect([0, 1, 2].map(index => layout.boxOf(index).width)).toEqual([900, 350, 900])
  })

  test('show a panorama across the width', () => {
    expect(heights(flat([4, 4], 500))).toEqual([125, 125])
  })

  test('give a very tall photo a width that can be seen', () => {
    expect(flat([0.05, 1.5]).boxOf(0).width).toBe(90)
  })
})

describe('the visible files', () => {
  test('start with the first file at or below the top of the screen', () => {
    expect(layout.indexAt(-300)).toBe(0)
    expect(layout.indexAt(45)).toBe(0)
    expect(layout.indexAt(170)).toBe(4)
    expect(layout.indexAt(420)).toBe(10)
    expect(layout.indexAt(99_999)).toBe(20)
  })

  test('end with the last file above the bottom of the screen', () => {
    expect(layout.lastIndexAt(-300)).toBe(0)
    expect(layout.lastIndexAt(65)).toBe(3)
    expect(layout.lastIndexAt(170)).toBe(3)
    expect(layout.lastIndexAt(99_999)).toBe(20)
  })
})

test('the headings are included for files in the row directly below', () => {
  expect(layout.topWithHeading(3)).toBe(0)
  expect(layout.topWithHeading(5)).toBe(160)
  expect(layout.topWithHeading(10)).toBe(layout.rowOf(10).top)
  expect(layout.topWithHeading(17)).toBe(layout.rowOf(17).top - 20 - 50)
})

describe('moving up and down', () => {
  test('keeps the column', () => {
    expect(layout.inRowBelow(1, 1)).toBe(5)
    expect(layout.inRowBelow(5, -1)).toBe(1)
    expect(layout.inRowBelow(7, 1)).toBe(11)
  })

  test('goes to the last file of a shorter row, and keeps the column beyond it', () => {
    expect(layout.inRowBelow(3, 1)).toBe(5)
    expect(layout.inRowBelow(3, 2)).toBe(9)
  })

  test('stays in place at either end', () => {
    expect(layout.inRowBelow(1, -1)).toBe(1)
    expect(layout.inRowBelow(17, 1)).toBe(17)
    expect(layout.inRowBelow(2, -5)).toBe(2)
    expect(layout.inRowBelow(13, 50)).toBe(20)
  })

  test('goes to the closest file among true proportions', () => {
    const proportions = [3, 1, 1, 1, 1, 3, 1.5, 1.5]
    const layout = Layout.flat(
      8,
      testMeasures({ width: 600 }, { kind: 'proportions', rowHeight: 100, proportionAt: i => proportions[i] ?? 1 }),
    )
    expect(layout.inRowBelow(0, 1)).toBe(4)
    expect(layout.inRowBelow(3, 1)).toBe(6)
    expect(layout.inRowBelow(4, -1)).toBe(0)
  })
})

describe('a flat layout', () => {
  test('has rows without headings', () => {
    const flat = Layout.flat(10, measures)
    expect(flat.height).toBe(300)
    expect(flat.rowsBetween(0, 300).map(row => row.count)).toEqual([4, 4, 2])
    expect(flat.boxOf(9)).toEqual({ top: 200, left: 100, width: 100 })
  })

  test('of a list has one file in each row', () => {
    const list = Layout.flat(1_000_000, testMeasures({}, { kind: 'list', rowHeight: 56 }))
    expect(list.height).toBe(56_000_000)
    expect(list.rowOf(999_999)).toMatchObject({ top: 999_999 * 56, number: 1_000_000, count: 1 })
  })

  test('of an empty list has no height', () => {
    expect(Layout.flat(0, measures)).toMatchObject({ total: 0, height: 0, rowCount: 0 })
  })
})
