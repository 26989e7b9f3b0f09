import { describe, expect, test } from 'vitest'
import { Layout, type Row } from './layout.ts'
import { testDay, testMeasures } from './test-layouts.ts'

const measures = testMeasures()

/** Three short days that flow, a long one, and another month. */
const days = [
  testDay('2026-06-14', 3),
  testDay('2026-06-13', 1),
  testDay('2026-06-12', 2),
  testDay('2026-06-10', 9),
  testDay('2026-06-09', 1),
  testDay('2026-05-01', 2),
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

const shapes = {
  squares: testMeasures({ gap: 4 }),
  'one column': testMeasures({}, { kind: 'squares', columns: 1 }),
  'true proportions': proportional(800),
  'true proportions on a phone': proportional(300),
}

describe('a layout by day', () => {
  test('has a heading for each month and one line of labels for each row in which a day starts', () => {
    expect(rows.map(({ kind, first, count }) => `${kind} ${first}+${count}`)).toEqual([
      'month 0+16',
      'days 0+4',
      'files 0+4',
      'days 4+2',
      'files 4+2',
      'days 6+4',
      'files 6+4',
      'files 10+4',
      'files 14+1',
      'days 15+1',
      'files 15+1',
      'month 16+2',
      'days 16+2',
      'files 16+2',
    ])
    expect(layout.rowCount).toBe(14)
    expect(layout.height).toBe(2 * 40 + 10 + 5 * 20 + 7 * 100)
  })

  test('does not give a day with one photo a row of its own', () => {
    const single = Layout.byDay(
      Array.from({ length: 8 }, (_, i) => testDay(`2026-06-${20 - i}`, 1)),
      measures,
    )
    expect(single.rowsBetween(0, single.height).filter(({ kind }) => kind === 'files')).toHaveLength(2)
  })

  test('gives short months of a year that follow each other one heading and the same rows', () => {
    const short = Layout.byDay(
      [
        testDay('2026-09-20', 4),
        testDay('2026-08-20', 1),
        testDay('2026-06-20', 1),
        testDay('2026-03-20', 3),
        testDay('2025-12-20', 1),
        testDay('2025-11-20', 5),
      ],
      measures,
    )
    const shortRows = short.rowsBetween(0, short.height)
    const headings = shortRows.filter(({ kind }) => kind === 'month')
    expect(headings.map(row => [row.first, row.count, short.monthsOf(row)])).toEqual([
      [0, 4, ['2026-09']],
      [4, 5, ['2026-08', '2026-06', '2026-03']],
      [9, 1, ['2025-12']],
      [10, 5, ['2025-11']],
    ])
    expect(shortRows.filter(({ kind }) => kind === 'files').map(({ count }) => count)).toEqual([4, 4, 1, 1, 4, 1])
  })

  test('gives years that fit into one row together one heading, and their days labels with the year', () => {
    const sparseDays = [
      testDay('2026-09-20', 2),
      testDay('2019-03-02', 1),
      testDay('2004-08-20', 1),
      testDay('1998-12-20', 1),
      testDay('1985-07', 1),
      testDay('1974', 1),
      testDay('195X', 1),
      testDay('XXXX', 1),
    ]
    const sparse = Layout.byDay(sparseDays, measures)
    const sparseRows = sparse.rowsBetween(0, sparse.height)
    expect(sparseRows.filter(({ kind }) => kind === 'month').map(row => sparse.monthsOf(row))).toEqual([
      ['2026-09', '2019-03', '2004-08'],
      ['1998-12', '1985-07', '1974', '195X'],
      ['XXXX'],
    ])
    expect(sparseRows.filter(({ kind }) => kind === 'files').map(({ count }) => count)).toEqual([4, 4, 1])
    const labels = sparseRows.filter(({ kind }) => kind === 'days').flatMap(row => sparse.labelsIn(row))
    expect(labels.map(({ day }) => day)).toEqual(sparseDays.slice(0, -1).map(({ day }) => day))
    expect(labels.every(({ withYear }) => withYear)).toBe(true)
  })

  test('labels a year among the months of that year', () => {
    const mixed = Layout.byDay([testDay('1974-09-20', 1), testDay('1974', 2), testDay('1974-05', 3)], measures)
    const mixedRows = mixed.rowsBetween(0, mixed.height)
    expect(mixedRows.filter(({ kind }) => kind === 'month').map(row => mixed.monthsOf(row))).toEqual([
      ['1974-09', '1974', '1974-05'],
    ])
    const labels = mixedRows.filter(({ kind }) => kind === 'days').flatMap(row => mixed.labelsIn(row))
    expect(labels.map(({ day, withYear }) => [day, withYear])).toEqual([
      ['1974-09-20', undefined],
      ['1974', true],
      ['1974-05', true],
    ])
  })

  test('labels dates of the same decade that follow each other once', () => {
    const old = Layout.byDay([testDay('196X', 1), testDay('196X', 1), testDay('1950', 1)], measures)
    const [, labels] = old.rowsBetween(0, old.height)
    expect(old.labelsIn(labels as Row).map(({ day, column }) => [day, column])).toEqual([
      ['196X', 0],
      ['1950', 2],
    ])
  })

  test('puts the label of each day above its first file', () => {
    const [, labels] = rows
    expect(layout.labelsIn(labels as Row)).toEqual([
      { day: '2026-06-14', column: 0, left: 0, width: 300 },
      { day: '2026-06-13', column: 3, left: 300, width: 100 },
    ])
    expect(layout.labelsIn(rows[5] as Row)).toEqual([{ day: '2026-06-10', column: 0, left: 0, width: 400 }])
  })

  test('names the months', () => {
    const months = rows.filter(({ kind }) => kind === 'month')
    expect(months.map(row => layout.monthsOf(row))).toEqual([['2026-06'], ['2026-05']])
  })

  test('moves nothing in other months, nor beside a long day, when a file is added', () => {
    const added = Layout.byDay([testDay('2026-06-14', 4), ...days.slice(1)], measures)
    for (const index of [6, 15, 16, 17]) {
      const { top: _, ...before } = layout.boxOf(index)
      expect(added.boxOf(index + 1)).toMatchObject(before)
    }
  })

  test('rejects an index out of range', () => {
    expect(() => layout.rowOf(18)).toThrow(RangeError)
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
    expect(labels.map(label => label.day)).toEqual(severalMonths.map(({ day }) => day))
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
    expect(layout.indexAt(99_999)).toBe(17)
  })

  test('end with the last file above the bottom of the screen', () => {
    expect(layout.lastIndexAt(-300)).toBe(0)
    expect(layout.lastIndexAt(65)).toBe(3)
    expect(layout.lastIndexAt(170)).toBe(3)
    expect(layout.lastIndexAt(99_999)).toBe(17)
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
    expect(layout.inRowBelow(13, 50)).toBe(17)
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
