import { type DateScope, type Day, scopeOfLabel } from './days.ts'
import { type Box, boxesOf, breakRow, type Measures, type RowBreak } from './row-breaks.ts'
import { type Sections, sectionsOf } from './sections.ts'

/** Consecutive rows of the same height, or one row of headings, for which `perRow` is 0. */
interface Run {
  kind: Row['kind']
  top: number
  /** Distance between the tops of two rows. */
  pitch: number
  /** Number of its first row among all rows, from 1. */
  number: number
  /** Index of its first file. */
  first: number
  count: number
  perRow: number
  photoHeight: number
}

export interface Row {
  /** `months` and `days` have the headings and labels of the files directly below. */
  kind: 'months' | 'days' | 'files'
  top: number
  height: number
  /** Number among all rows, from 1, for screen readers. */
  number: number
  /** Index of the first file in it, or below it. */
  first: number
  /** The files in it, or directly below it. */
  count: number
  photoHeight: number
}

/** A heading or the label of a day, above its first file. */
export interface Label extends Box {
  date: string
  column: number
  first: number
  count: number
  scope: DateScope
  isLessExact: boolean
  /** Of a day: the heading that it is below. */
  below?: string | undefined
}

/**
 * Computes the position of every file from counts and proportions alone, without loading any file. Months have a
 * heading and days a small label above their first file. Days flow into each other, and so do short months, so that a
 * day with one photo does not take a row; only a long month or day starts a row of its own.
 */
export class Layout {
  readonly total: number
  readonly height: number
  readonly rowCount: number
  /** The most files that any row has. */
  readonly columnCount: number
  readonly measures: Measures
  readonly #runs: readonly Run[]
  readonly #sections: Sections

  private constructor(sections: Sections, measures: Measures) {
    const runs = runsOf(sections, measures)
    const last = runs.at(-1)
    const lastSection = sections.sections.at(-1)
    this.#runs = runs
    this.#sections = sections
    this.measures = measures
    this.total = lastSection === undefined ? 0 : lastSection.first + lastSection.count
    this.height = last === undefined ? 0 : last.top + rowsIn(last) * last.pitch
    this.rowCount = last === undefined ? 0 : last.number + rowsIn(last) - 1
    this.columnCount = runs.reduce((most, { perRow }) => Math.max(most, perRow), 0)
  }

  /** Without headings. */
  static flat(total: number, measures: Measures): Layout {
    const sections = total === 0 ? [] : [{ first: 0, count: total, endsAlone: false }]
    return new Layout({ sections, headings: [], labelled: [] }, measures)
  }

  static byDay(days: readonly Omit<Day, 'key'>[], measures: Measures): Layout {
    let first = 0
    const starts = days.map(({ day, count }) => {
      const start = { day, count, first }
      first += count
      return start
    })
    return new Layout(sectionsOf(starts, measures), measures)
  }

  /** The rows that intersect the range. */
  rowsBetween(top: number, bottom: number): Row[] {
    const rows: Row[] = []
    for (let i = lastUpTo(this.#runs, top, run => run.top); i < this.#runs.length; i++) {
      const run = this.#run(i)
      if (run.top >= bottom) break
      const from = Math.max(0, Math.floor((top - run.top) / run.pitch))
      const to = Math.min(rowsIn(run), Math.ceil((bottom - run.top) / run.pitch))
      for (let row = from; row < to; row++) rows.push(rowIn(run, row))
    }
    return rows
  }

  rowOf(index: number): Row {
    const run = this.#runOf(index)
    return rowIn(run, Math.floor((index - run.first) / run.perRow))
  }

  /** The positions of a row's files. */
  boxesIn(row: Row): Box[] {
    return boxesOf(row, this.measures)
  }

  boxOf(index: number): Box & { top: number } {
    const row = this.rowOf(index)
    const box = this.boxesIn(row)[index - row.first]
    if (box === undefined) throw new RangeError(`There is no file ${index} in its row`)
    return { ...box, top: row.top }
  }

  /** The months or days that start in the row below a row of headings or labels. */
  labelsIn({ kind, first, count }: Row): Label[] {
    const { headings, labelled } = this.#sections
    const starts =
      kind === 'months'
        ? startsBetween(headings, first, count)
        : startsBetween(labelled, first, count).map(({ first, count, day }) => ({
            date: day,
            first,
            count,
            scope: scopeOfLabel(day),
            isLessExact: false,
            below: headings[lastUpTo(headings, first, heading => heading.first)]?.date,
          }))
    const boxes = this.boxesIn(this.rowOf(first))
    const leftOf = (start: number) => boxes[start - first]?.left ?? 0
    return starts.map((label, i) => {
      const start = label.first
      const next = starts[i + 1]
      const right = next === undefined ? this.measures.width : leftOf(next.first) - this.measures.gap
      return { ...label, column: start - first, left: leftOf(start), width: right - leftOf(start) }
    })
  }

  /** The file this many rows below or above, closest to the file's own centre. Stops at either end. */
  inRowBelow(index: number, rows: number): number {
    const { left, width } = this.boxOf(index)
    const step = Math.sign(rows)
    let row = this.rowOf(index)
    for (let i = 0; i !== rows; i += step) {
      const beyond = step === 1 ? row.first + row.count : row.first - 1
      if (beyond < 0 || beyond >= this.total) break
      row = this.rowOf(beyond)
    }
    const isIn = index >= row.first && index < row.first + row.count
    return isIn ? index : row.first + closest(this.boxesIn(row), left + width / 2)
  }

  /** The first file at or below this position. */
  indexAt(top: number): number {
    const run = this.#run(lastUpTo(this.#runs, top, run => run.top))
    if (run.perRow === 0) return run.first
    const row = Math.max(0, Math.floor((top - run.top) / run.pitch))
    return Math.min(run.first + row * run.perRow, run.first + run.count - 1)
  }

  /** The last file above this position. */
  lastIndexAt(bottom: number): number {
    const run = this.#run(lastUpTo(this.#runs, bottom, run => run.top))
    if (run.perRow === 0) return Math.max(0, run.first - 1)
    const rows = Math.max(0, Math.ceil((bottom - run.top) / run.pitch))
    return Math.max(0, Math.min(run.first + rows * run.perRow, run.first + run.count) - 1)
  }

  /** The top of a file's row, or of the headings directly above it. */
  topWithHeading(index: number): number {
    const { top, first } = this.rowOf(index)
    let i = lastUpTo(this.#runs, index, run => run.first)
    if (this.#run(i).first !== first) return top
    while (i > 0 && this.#run(i - 1).perRow === 0) i -= 1
    return this.#run(i).top
  }

  #runOf(index: number): Run {
    if (index < 0 || index >= this.total) throw new RangeError(`There is no file ${index} among ${this.total}`)
    // Headings have the same first file and come before it.
    return this.#run(lastUpTo(this.#runs, index, run => run.first))
  }

  #run(i: number): Run {
    const run = this.#runs[i]
    if (run === undefined) throw new RangeError('An empty layout has no rows')
    return run
  }
}

function runsOf({ sections, headings, labelled }: Sections, measures: Measures): Run[] {
  const { gap, captionHeight, monthHeight, dayHeight, monthGap, arrangement } = measures
  const runs: Run[] = []
  let [top, number, month, day] = [0, 1, 0, 0]

  function addHeading(kind: 'months' | 'days', first: number, count: number, pitch: number) {
    runs.push({ kind, top, pitch, number, first, count, perRow: 0, photoHeight: 0 })
    top += pitch
    number += 1
  }
  function addFiles(first: number, { count: perRow, height: photoHeight }: RowBreak, rows: number) {
    const pitch = photoHeight + captionHeight + gap
    const last = runs.at(-1)
    if (last !== undefined && continues(last, perRow, pitch)) last.count += rows * perRow
    else runs.push({ kind: 'files', top, pitch, number, first, count: rows * perRow, perRow, photoHeight })
    top += rows * pitch
    number += rows
  }
  const startOf = (starts: readonly { first: number }[], i: number) => starts[i]?.first ?? Number.POSITIVE_INFINITY

  for (const { first: start, count, endsAlone } of sections) {
    const end = start + count
    for (let first = start; first < end; ) {
      const row = breakRow(first, end, measures, endsAlone)
      const next = first + row.count
      if (startOf(headings, month) < next) {
        addHeading('months', first, row.count, monthHeight + (top > 0 ? monthGap : 0))
      }
      if (startOf(labelled, day) < next) addHeading('days', first, row.count, dayHeight)
      while (startOf(headings, month) < next) month += 1
      while (startOf(labelled, day) < next) day += 1
      const alikeUntil = Math.min(startOf(headings, month), startOf(labelled, day), end)
      const rows = arrangement.kind === 'proportions' ? 1 : rowsAlike(first, alikeUntil, end, row.count, endsAlone)
      addFiles(first, row, rows)
      first += rows * row.count
    }
  }
  return runs
}

/** Rows of squares are alike until the next day starts, except the one that has to leave a file for the last row. */
function rowsAlike(first: number, until: number, end: number, perRow: number, endsAlone: boolean): number {
  const rows = Math.max(1, Math.floor((until - first) / perRow))
  const leavesOne = endsAlone && end - first - rows * perRow === 1
  return leavesOne && rows > 1 ? rows - 1 : rows
}

function startsBetween<Start extends { first: number }>(starts: readonly Start[], first: number, count: number) {
  const found: Start[] = []
  for (let i = lastUpTo(starts, first, start => start.first); i < starts.length; i++) {
    const start = starts[i]
    if (start === undefined || start.first >= first + count) break
    if (start.first >= first) found.push(start)
  }
  return found
}

function continues({ kind, count, perRow, pitch }: Run, added: number, addedPitch: number): boolean {
  return kind === 'files' && pitch === addedPitch && count % perRow === 0 && added <= perRow
}

function closest(boxes: readonly Box[], centre: number): number {
  let [found, least] = [0, Number.POSITIVE_INFINITY]
  for (const [i, { left, width }] of boxes.entries()) {
    const distance = Math.abs(left + width / 2 - centre)
    if (distance < least) [found, least] = [i, distance]
  }
  return found
}

function rowsIn({ count, perRow }: Run): number {
  return perRow === 0 ? 1 : Math.ceil(count / perRow)
}

function rowIn(run: Run, row: number): Row {
  const { kind, pitch, perRow, photoHeight } = run
  return {
    kind,
    top: run.top + row * pitch,
    height: pitch,
    number: run.number + row,
    first: run.first + row * perRow,
    count: perRow === 0 ? run.count : Math.min(perRow, run.count - row * perRow),
    photoHeight,
  }
}

/** Binary search for the last entry with a value of at most `limit`; the first entry if there is none. */
export function lastUpTo<Entry>(entries: readonly Entry[], limit: number, value: (entry: Entry) => number): number {
  let [low, high] = [0, entries.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const entry = entries[middle]
    if (entry !== undefined && value(entry) <= limit) low = middle
    else high = middle - 1
  }
  return low
}
