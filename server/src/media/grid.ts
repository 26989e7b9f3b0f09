import { groupText, isUndatedKey, readGroup, sortKeysAt, timelineKey } from '#contract/edtf.ts'
import { fillIn, type Grid, type GridQuery, type GridTuple, gridFlags, pathPattern } from '#contract/grid.ts'
import { DAY } from '#contract/limits.ts'
import type { Timeline, TimelineQuery } from '#contract/media-list.ts'
import type { Database } from '../db/database.ts'
import type { Storage } from '../storage/storage.ts'
import { countFiles } from './counts.sql.ts'
import { hasPrecomputedCount, type ListFilter } from './filter.sql.ts'
import { readQuery } from './filter.ts'
import { countMatching, type GridRow, selectGrid } from './list.sql.ts'
import { planSearch } from './search.sql.ts'
import { selectTimeline } from './timeline.sql.ts'

interface GridDeps {
  db: Database
  storage: Pick<Storage, 'pictureUrls'>
}

/** The layout of a list: its days with their numbers of files and, if wanted, the proportion of every file. */
export async function timeline(db: Database, viewerId: number, query: TimelineQuery): Promise<Timeline> {
  const { filter, order } = await readQuery(db, query, viewerId)
  const wanted = { days: order.sort === 'date', proportions: query.proportions === 'true' }
  if (!wanted.days && !wanted.proportions) return { total: await countAll(db, filter), days: [], proportions: null }
  const { days, proportions } = await selectTimeline(db, filter, order, wanted)
  const total = proportions?.length ?? days.reduce((sum, { files }) => sum + files, 0)
  const dateOf = dayFormatter()
  const sign = order.order === 'asc' ? 1 : -1
  const listed = days
    .map(({ day, files }): Timeline['days'][number] => [timelineKey(day, order.order), files, groupText(day, dateOf)])
    .sort(([a], [b]) => sign * (a - b))
  return { total, days: listed, proportions }
}

async function countAll(db: Database, filter: ListFilter): Promise<number> {
  return hasPrecomputedCount(filter) ? countFiles(db.query, filter) : countMatching(db, filter)
}

/** A page of a list, as tiles show it to a person. */
export async function readGridPage({ db, storage }: GridDeps, viewerId: number, query: GridQuery): Promise<Grid> {
  const { limit, offset, from, to } = query
  const { filter, order } = await readQuery(db, query, viewerId, scopeOfKeys(from, to))
  const plan = filter.words.length > 0 ? await planSearch(db, filter, limit + offset) : undefined
  const rows = await selectGrid(db, viewerId, filter, { ...order, limit, offset }, plan)
  return presentGrid(storage, rows)
}

/** Between two numbers of the timeline, inclusive. Undated files are never on a page with others. */
function scopeOfKeys(from: number | undefined, to: number | undefined): Pick<ListFilter, 'dates' | 'undated'> {
  if (from === undefined && to === undefined) return {}
  if (from !== undefined && to !== undefined && isUndatedKey(from) && isUndatedKey(to)) return { undated: true }
  return {
    dates: {
      first: from === undefined || isUndatedKey(from) ? undefined : sortKeysAt(from).first,
      last: to === undefined || isUndatedKey(to) ? undefined : sortKeysAt(to).last,
    },
  }
}

const VARIANTS = 'variants/'

function presentGrid(storage: GridDeps['storage'], rows: readonly GridRow[]): Grid {
  const [days, places] = [new Dictionary<number>(), new Dictionary<string>()]
  const { base, query, sign } = storage.pictureUrls()
  const files = rows.map((row): GridTuple => {
    const { path, mobile } = pathsOf(row)
    const more = {
      ...(row.duration === null ? {} : { duration: row.duration }),
      ...(row.status === 'processing' && row.progress !== null ? { progress: row.progress } : {}),
      ...(row.failure_reason === null ? {} : { failure_reason: row.failure_reason }),
      ...(mobile === undefined ? {} : { mobile }),
      ...(row.hearts ? { hearts: row.hearts } : {}),
      ...(isLessExact(row) ? { edtf: row.date_edtf } : {}),
    }
    const tuple: GridTuple = [
      row.id,
      row.original_name,
      days.indexOf(row.day),
      row.proportion,
      flagsOf(row),
      row.file_size,
      row.thumbhash,
      path,
      row.location === null ? null : places.indexOf(row.location),
    ]
    if (Object.keys(more).length > 0) tuple.push(more)
    return tuple
  })
  const signatures =
    sign &&
    rows.map(({ thumbnail_key: thumbnail, mobile_key: mobile }): [string, string] | null =>
      thumbnail === null || mobile === null ? null : [sign(thumbnail), sign(mobile)],
    )
  return {
    files,
    days: groupTexts(days.values),
    places: places.values,
    thumbnails: { base: `${base}${VARIANTS}`, query, signatures },
  }
}

function groupTexts(groups: readonly number[]): string[] {
  const dateOf = dayFormatter()
  return groups.map(group => groupText(group, dateOf))
}

/** Whether the heading does not say all of the date: summer 1974 is listed under 1974. */
function isLessExact(row: GridRow): row is GridRow & { date_edtf: string } {
  const group = readGroup(row.day)
  return group !== 'undated' && group.heading !== 'day' && row.date_edtf !== null
}

/**
 * Formats a day, counted from 1970, as in "2026-06-14". Neighbours are mostly of the same month, whose text is
 * reused: formatting thousands of dates one by one would take most of the time of a timeline.
 */
function dayFormatter(): (day: number) => string {
  let month = { first: 0, next: 0, text: '' }
  return day => {
    if (day < month.first || day >= month.next) {
      const date = new Date(day * DAY)
      const next = new Date(date).setUTCMonth(date.getUTCMonth() + 1, 1) / DAY
      month = { first: day - date.getUTCDate() + 1, next, text: date.toISOString().slice(0, 8) }
    }
    return `${month.text}${String(day - month.first + 1).padStart(2, '0')}`
  }
}

function pathsOf({ original_name: name, thumbnail_key: thumbnail, mobile_key: mobile }: GridRow): {
  path: string | null
  mobile?: string
} {
  if (thumbnail === null || mobile === null) return { path: null }
  const path = pathPattern(thumbnail.slice(VARIANTS.length), name)
  if (path === null || fillIn(path, name, 'mobile') === mobile.slice(VARIANTS.length)) return { path }
  return { path, mobile: mobile.slice(VARIANTS.length) }
}

function flagsOf(row: GridRow): number {
  const flags: Record<keyof typeof gridFlags, boolean> = {
    video: row.file_type === 'video',
    live: row.motion_part !== null,
    animated: row.animated === 1,
    partlyDamaged: row.partly_damaged === 1,
    processing: row.status === 'processing',
    failed: row.status === 'failed',
    hearted: row.own_hearts === 1,
  }
  return Object.entries(gridFlags).reduce(
    (bits, [name, bit]) => (flags[name as keyof typeof gridFlags] ? bits | bit : bits),
    0,
  )
}

/** Values that many files share, each written once. */
class Dictionary<Value> {
  readonly values: Value[] = []
  readonly #indexes = new Map<Value, number>()

  indexOf(value: Value): number {
    const known = this.#indexes.get(value)
    if (known !== undefined) return known
    this.#indexes.set(value, this.values.length)
    return this.values.push(value) - 1
  }
}
