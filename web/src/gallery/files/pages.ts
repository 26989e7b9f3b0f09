import { type Day, monthOf, runsOf, yearOf } from '../layout/days.ts'
import { lastUpTo } from '../layout/layout.ts'

/** A part of the list that is fetched in one request. */
export interface Page {
  /** Index of its first file. */
  start: number
  count: number
  /** `from` and `to` are keys of days. */
  query: { from?: number; to?: number; offset?: number; limit: number }
}

export const PAGE_SIZE = 100

interface CountsByDay {
  days: readonly Day[]
  total: number
}

const known = new WeakMap<CountsByDay, Page[]>()

/** Memoised per timeline, which may have thousands of days. */
export function pagesOf(timeline: CountsByDay): readonly Page[] {
  const pages =
    known.get(timeline) ?? (timeline.days.length > 0 ? pagesByDay(timeline.days) : pagesByOffset(timeline.total))
  known.set(timeline, pages)
  return pages
}

/**
 * Pages of a list sorted by date. They end at year, month or day boundaries where possible, so that a new or deleted
 * file invalidates only its own page.
 */
export function pagesByDay(days: readonly Day[]): Page[] {
  const pages: Page[] = []
  let start = 0
  for (const part of parts(days)) {
    for (const page of pagesWithin(part)) pages.push({ ...page, start: start + page.start })
    start += countOf(part)
  }
  return pages
}

/** Pages of any other list: by offset. */
export function pagesByOffset(total: number): Page[] {
  return Array.from({ length: Math.ceil(total / PAGE_SIZE) }, (_, i) => {
    const start = i * PAGE_SIZE
    return { start, count: Math.min(PAGE_SIZE, total - start), query: { offset: start, limit: PAGE_SIZE } }
  })
}

/** The pages that contain the files from `first` to `last`, inclusive. */
export function pagesBetween(pages: readonly Page[], first: number, last: number): Page[] {
  const found: Page[] = []
  for (let i = lastUpTo(pages, first, page => page.start); i < pages.length; i++) {
    const page = pages[i]
    if (page === undefined || page.start > last) break
    found.push(page)
  }
  return found
}

export function pageAt(pages: readonly Page[], index: number): Page | undefined {
  return pages[lastUpTo(pages, index, page => page.start)]
}

/** Whole years that fit into one page, otherwise months, otherwise groups of days. */
function* parts(days: readonly Day[]): Generator<Day[]> {
  for (const year of runsOf(days, ({ day }) => yearOf(day))) {
    if (countOf(year) <= PAGE_SIZE) yield year
    else {
      for (const month of runsOf(year, ({ day }) => monthOf(day))) {
        if (countOf(month) <= PAGE_SIZE) yield month
        else yield* inGroups(month)
      }
    }
  }
}

/** Groups as many days as fit; a day that is too large stays alone. */
function inGroups(days: readonly Day[]): Day[][] {
  const found: Day[][] = []
  for (const day of days) {
    const last = found.at(-1)
    if (last !== undefined && countOf(last) + day.count <= PAGE_SIZE) last.push(day)
    else found.push([day])
  }
  return found
}

/** Requests a few more than expected, so that files added since are noticed. */
const SPARE = 20

function pagesWithin(days: readonly Day[]): Page[] {
  const keys = days.map(({ key }) => key)
  const [from, to] = [Math.min(...keys), Math.max(...keys)]
  const total = countOf(days)
  if (total <= PAGE_SIZE) return [{ start: 0, count: total, query: { from, to, limit: PAGE_SIZE + SPARE } }]
  return pagesByOffset(total).map(page => ({ ...page, query: { from, to, ...page.query } }))
}

function countOf(days: readonly Day[]): number {
  return days.reduce((sum, { count }) => sum + count, 0)
}
