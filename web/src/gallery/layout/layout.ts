import type { Day } from './days.ts'

/** Files laid out in rows below one row of headings, or none. */
interface Band {
  /** Index of its first file. */
  first: number
  count: number
  top: number
  /** Number of its first row of files among all rows, including headings. */
  firstRow: number
  headings: readonly Heading[]
}

/** A day that starts at this column; several short days share a row. */
export interface Heading extends Day {
  column: number
  columns: number
}

export interface Measures {
  columns: number
  /** Distance between the tops of two rows of files. */
  rowPitch: number
  headingHeight: number
  /** Between the last row of a band and the next heading. */
  bandGap: number
}

export interface Row {
  top: number
  /** Number among all rows, from 1, for screen readers. */
  number: number
  /** Empty for a row of files. */
  headings: readonly Heading[]
  /** Index of the first file; a row of headings has a count of 0. */
  first: number
  count: number
}

export interface Place {
  top: number
  column: number
  /** Number among all rows, from 1. */
  row: number
}

/**
 * Computes the position of every file from counts alone, without loading any file, so that a library of any size needs
 * only a few numbers per day.
 */
export class Layout {
  readonly total: number
  readonly height: number
  readonly rowCount: number
  readonly measures: Measures
  readonly #bands: readonly Band[]

  private constructor(runs: readonly Run[], measures: Measures) {
    const bands: Band[] = []
    let [first, top, row] = [0, 0, 1]
    for (const { count, headings } of runs) {
      const rows = Math.ceil(count / measures.columns)
      if (headings.length > 0) row += 1
      bands.push({ first, count, top, firstRow: row, headings })
      first += count
      row += rows
      top += (headings.length > 0 ? measures.headingHeight + measures.bandGap : 0) + rows * measures.rowPitch
    }
    this.#bands = bands
    this.total = first
    this.height = top
    this.rowCount = row - 1
    this.measures = measures
  }

  /** Without headings. */
  static flat(total: number, measures: Measures): Layout {
    return new Layout(total === 0 ? [] : [{ count: total, headings: [] }], measures)
  }

  /** Grouped by day. Consecutive days that fit into one row share it. */
  static byDay(days: readonly Day[], measures: Measures): Layout {
    return new Layout(runsOf(days, measures.columns), measures)
  }

  /** The rows that intersect the range. */
  rowsBetween(top: number, bottom: number): Row[] {
    const rows: Row[] = []
    for (let i = this.#bandIndexAt(top); i < this.#bands.length; i++) {
      const band = this.#band(i)
      if (band.top >= bottom) break
      this.#addRows(rows, band, top, bottom)
    }
    return rows
  }

  #addRows(rows: Row[], band: Band, top: number, bottom: number): void {
    const { columns, rowPitch } = this.measures
    const filesTop = this.#filesTop(band)
    if (band.headings.length > 0 && filesTop > top) {
      rows.push({ top: band.top, number: band.firstRow - 1, headings: band.headings, first: band.first, count: 0 })
    }
    const from = Math.max(0, Math.floor((top - filesTop) / rowPitch))
    const to = Math.min(Math.ceil(band.count / columns), Math.ceil((bottom - filesTop) / rowPitch))
    for (let row = from; row < to; row++) rows.push(this.#row(band, row))
  }

  #row(band: Band, row: number): Row {
    const { columns, rowPitch } = this.measures
    return {
      top: this.#filesTop(band) + row * rowPitch,
      number: band.firstRow + row,
      headings: [],
      first: band.first + row * columns,
      count: Math.min(columns, band.count - row * columns),
    }
  }

  rowOf(index: number): Row {
    const band = this.#bandOf(index)
    return this.#row(band, Math.floor((index - band.first) / this.measures.columns))
  }

  placeOf(index: number): Place {
    const { top, number, first } = this.rowOf(index)
    return { top, row: number, column: index - first }
  }

  /**
   * The file in the next or previous row, in the same column or the row's last one. Returns the same index at either
   * end.
   */
  inNextRow(index: number, step: 1 | -1): number {
    const { first, count } = this.rowOf(index)
    const beyond = step === 1 ? first + count : first - 1
    if (beyond < 0 || beyond >= this.total) return index
    const next = this.rowOf(beyond)
    return next.first + Math.min(index - first, next.count - 1)
  }

  /** The first file at or below this position. */
  indexAt(top: number): number {
    const band = this.#band(this.#bandIndexAt(top))
    const row = Math.max(0, Math.floor((top - this.#filesTop(band)) / this.measures.rowPitch))
    return Math.min(band.first + row * this.measures.columns, band.first + band.count - 1)
  }

  /** The last file above this position. */
  lastIndexAt(bottom: number): number {
    const band = this.#band(this.#bandIndexAt(bottom))
    const rows = Math.max(0, Math.ceil((bottom - this.#filesTop(band)) / this.measures.rowPitch))
    return Math.max(0, Math.min(band.first + rows * this.measures.columns, band.first + band.count) - 1)
  }

  /** The top of a file's row, or of the headings directly above it. */
  topWithHeading(index: number): number {
    const band = this.#bandOf(index)
    return index < band.first + this.measures.columns ? band.top : this.rowOf(index).top
  }

  #filesTop({ top, headings }: Band): number {
    return top + (headings.length > 0 ? this.measures.headingHeight : 0)
  }

  #bandOf(index: number): Band {
    if (index < 0 || index >= this.total) throw new RangeError(`There is no file ${index} among ${this.total}`)
    return this.#band(lastUpTo(this.#bands, index, band => band.first))
  }

  #bandIndexAt(top: number): number {
    return lastUpTo(this.#bands, top, band => band.top)
  }

  #band(i: number): Band {
    const band = this.#bands[i]
    if (band === undefined) throw new RangeError('An empty layout has no rows')
    return band
  }
}

interface Run {
  count: number
  headings: readonly Heading[]
}

function runsOf(days: readonly Day[], columns: number): Run[] {
  const runs: Run[] = []
  let shared: { count: number; headings: Heading[] } | undefined
  for (const { day, count } of days) {
    if (shared !== undefined && shared.count + count <= columns) {
      shared.headings.push({ day, count, column: shared.count, columns: count })
      shared.count += count
      continue
    }
    const run = { count, headings: [{ day, count, column: 0, columns: Math.min(count, columns) }] }
    runs.push(run)
    shared = count < columns ? run : undefined
  }
  return runs.map(widenLast(columns))
}

/** The last heading of a row takes the remaining columns. */
function widenLast(columns: number) {
  return ({ count, headings }: Run): Run => ({
    count,
    headings: headings.map((heading, i) =>
      i === headings.length - 1 ? { ...heading, columns: columns - heading.column } : heading,
    ),
  })
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
