import { type Day, monthOf, yearOf } from './days.ts'
import { type Box, boxesOf, breakRow, type Measures, type RowBreak } from './row-breaks.ts'
import { type DayStart, type Section, sectionsOf } from './sections.ts'

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
  /** `days` labels the files of the row directly below. */
  kind: 'month' | 'days' | 'files'
  top: number
  height: number
  /** Number among all rows, from 1, for screen readers. */
  number: number
  /** Index of the first file in it, or below it. */
  first: number
  /** Of a heading of months: their number of files. */
  count: number
  photoHeight: number
}

/** The label of a day, above its first file. */
export interface DayLabel extends Box {
  day: string
  column: number
  /** Set where the heading above names several years, or several months and the day is not known. */
  withYear?: true
}

/**
 * Computes the position of every file from counts and proportions alone, without loading any file. Months have a
 * heading; short ones share it, and so do years and decades of a few files. Days flow into each other and have a small label above their first file, so that a day
 * with one photo does not take a row; only a long day starts a row of its own.
 */
export class Layout {
  readonly total: number
  readonly height: number
  readonly rowCount: number
  /** The most files that any row has. */
  readonly columnCount: number
  readonly measures: Measures
  readonly #runs: readonly Run[]
  readonly #days: readonly DayStart[]
  readonly #labelled: readonly DayStart[]

  private constructor(
    { sections, labelled }: { sections: readonly Section[]; labelled: readonly DayStart[] },
    days: readonly DayStart[],
    measures: Measures,
  ) {
    const runs = runsOf(sections, labelled, measures)
    const last = runs.at(-1)
    const lastSection = sections.at(-1)
    this.#runs = runs
    this.#days = days
    this.#labelled = labelled
    this.measures = measures
    this.total = lastSection === undefined ? 0 : lastSection.first + lastSection.count
    this.height = last === undefined ? 0 : last.top + rowsIn(last) * last.pitch
    this.rowCount = last === undefined ? 0 : last.number + rowsIn(last) - 1
    this.columnCount = runs.reduce((most, { perRow }) => Math.max(most, perRow), 0)
  }

  /** Without headings. */
  static flat(total: number, measures: Measures): Layout {
    const sections = total === 0 ? [] : [{ first: 0, count: total, heading: undefined }]
    return new Layout({ sections, labelled: [] }, [], measures)
  }

  static byDay(days: readonly Omit<Day, 'key'>[], measures: Measures): Layout {
    let first = 0
    const starts = days.map(({ day, count }) => {
      const start = { day, count, first }
      first += count
      return start
    })
    return new Layout(sectionsOf(starts, measures), starts, measures)
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

  /** The days that start in the row below a row of labels. */
  labelsIn({ first, count }: Row): DayLabel[] {
    const boxes = this.boxesIn(this.rowOf(first))
    const months = this.#monthsAbove(first)
    const spansYears = yearOf(months[0] ?? '') !== yearOf(months.at(-1) ?? '')
    const labels: DayLabel[] = []
    for (let i = lastUpTo(this.#labelled, first, day => day.first); i < this.#labelled.length; i++) {
      const start = this.#labelled[i]
      const box = start && boxes[start.first - first]
      if (start === undefined || start.first >= first + count) break
      if (box === undefined) continue
      const before = labels.at(-1)
      if (before !== undefined) before.width = box.left - this.measures.gap - before.left
      labels.push({
        day: start.day,
        column: start.first - first,
        left: box.left,
        width: this.measures.width - box.left,
        ...(spansYears || (months.length > 1 && monthOf(start.day) === start.day) ? { withYear: true } : {}),
      })
    }
    return labels
  }

  /** Those of the heading above a file. */
  #monthsAbove(index: number): string[] {
    let i = lastUpTo(this.#runs, index, run => run.first)
    while (i > 0 && this.#run(i).kind !== 'month') i -= 1
    return this.monthsOf(this.#run(i))
  }

  /** The months, years and decades of a heading in the order of the list, often a single one. */
  monthsOf({ first, count }: Pick<Row, 'first' | 'count'>): string[] {
    const months = new Set<string>()
    for (let i = lastUpTo(this.#days, first, day => day.first); i < this.#days.length; i++) {
      const start = this.#days[i]
      if (start === undefined || start.first >= first + count) break
      months.add(monthOf(start.day))
    }
    return [...months]
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

function runsOf(sections: readonly Section[], labelled: readonly DayStart[], measures: Measures): Run[] {
  const { gap, captionHeight, monthHeight, dayHeight, monthGap, arrangement } = measures
  const runs: Run[] = []
  let [top, number, day] = [0, 1, 0]

  function addHeading(kind: 'month' | 'days', first: number, count: number, pitch: number) {
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

  for (const section of sections) {
    const end = section.first + section.count
    if (section.heading !== undefined) {
      addHeading('month', section.first, section.heading.count, monthHeight + (top > 0 ? monthGap : 0))
    }
    for (let first = section.first; first < end; ) {
      const row = breakRow(first, end, measures)
      let start = labelled[day]?.first
      if (start !== undefined && start < first + row.count) addHeading('days', first, row.count, dayHeight)
      while (start !== undefined && start < first + row.count) start = labelled[++day]?.first
      // Rows of squares are alike until the next day starts.
      const alike =
        arrangement.kind === 'proportions' ? 1 : Math.floor((Math.min(start ?? end, end) - first) / row.count)
      addFiles(first, row, Math.max(1, alike))
      first += Math.max(1, alike) * row.count
    }
  }
  return runs
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
