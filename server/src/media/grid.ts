import { endOfDay, groupText, headingOfGroup, readTimelineKey, timelineKey } from '#contract/edtf.ts'
import type { Grid, GridRow as GridFile, GridQuery } from '#contract/grid.ts'
import { DAY } from '#contract/limits.ts'
import type { Timeline, TimelineQuery } from '#contract/media-list.ts'
import { ratioOf } from '#contract/proportions.ts'
import type { Database } from '../db/database.ts'
import type { Storage } from '../storage/storage.ts'
import { countFiles } from './counts.sql.ts'
import type { ListPart } from './date-ranges.ts'
import { hasPrecomputedCount, isPlanned, type ListFilter } from './filter.sql.ts'
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
    .map(({ files, ...group }): Timeline['days'][number] => [
      timelineKey(group, order.order),
      files,
      groupText(group, dateOf),
    ])
    .sort(([a], [b]) => sign * (a - b))
  return { total, days: listed, proportions }
}

async function countAll(db: Database, filter: ListFilter): Promise<number> {
  return hasPrecomputedCount(filter) ? countFiles(db.query, filter.given) : countMatching(db, filter)
}

/** A page of a list, as tiles show it to a person. */
export async function readGridPage({ db, storage }: GridDeps, viewerId: number, query: GridQuery): Promise<Grid> {
  const { limit, offset, from, to } = query
  const { filter, order } = await readQuery(db, query, viewerId, partBetweenKeys(from, to))
  const plan = isPlanned(filter) ? await planSearch(db, filter, limit + offset) : undefined
  const rows = await selectGrid(db, viewerId, filter, { ...order, limit, offset }, plan)
  return presentGrid(storage, rows)
}

/** Between two numbers of the timeline, inclusive. Undated files are never on a page with others. */
function partBetweenKeys(from: number | undefined, to: number | undefined): ListPart | undefined {
  const [first, last] = [from, to].map(key => (key === undefined ? undefined : readTimelineKey(key)))
  if (first === undefined && last === undefined) return undefined
  const begins = first && headingOfGroup(first) !== 'undated' ? first : undefined
  const ends = last && headingOfGroup(last) !== 'undated' ? last : undefined
  if (first && last && !begins && !ends) return { undated: true }
  return {
    dates: {
      first: begins && (headingOfGroup(begins) === 'day' ? begins.day * DAY : endOfDay(begins.day)),
      firstRank: begins?.heading_rank,
      last: ends && endOfDay(ends.day),
      lastRank: ends?.heading_rank,
    },
  }
}

const VARIANTS = 'variants/'

function presentGrid(storage: GridDeps['storage'], rows: readonly GridRow[]): Grid {
  const { base, query, sign } = storage.pictureUrls()
  const dateOf = dayFormatter()
  const files = rows.map((row): GridFile => {
    const { thumbnail_key: thumbnail, mobile_key: mobile } = row
    const hasPictures = thumbnail !== null && mobile !== null
    return {
      id: row.id,
      original_name: row.original_name,
      file_type: row.file_type,
      file_size: row.file_size,
      day: groupText(row, dateOf),
      edtf: isLessExact(row) ? row.date_edtf : undefined,
      ratio: roundedRatio(row.proportion),
      thumbhash: row.thumbhash,
      thumbnail: hasPictures ? thumbnail.slice(VARIANTS.length) : null,
      mobile: hasPictures ? mobile.slice(VARIANTS.length) : null,
      signatures: hasPictures && sign ? [sign(thumbnail), sign(mobile)] : undefined,
      duration: row.duration ?? undefined,
      location: row.location ?? undefined,
      caption: row.caption ?? undefined,
      live: row.motion_part !== null || undefined,
      animated: row.animated === 1 || undefined,
      partly_damaged: row.partly_damaged === 1 || undefined,
      incomplete: row.incomplete === 1 || undefined,
      missing: row.missing_at !== null || undefined,
      status: row.status,
      progress: row.status === 'processing' ? (row.progress ?? undefined) : undefined,
      failure_reason: row.failure_reason ?? undefined,
      hearts: row.hearts ?? 0,
      hearted: row.own_hearts === 1,
    }
  })
  return { files, pictures: { base: `${base}${VARIANTS}`, query } }
}

/** More digits would be of no use: the levels are coarser. */
function roundedRatio(proportion: string): number {
  return Math.round(ratioOf(proportion) * 1_000) / 1_000
}

/** Whether the heading does not say all of the date: summer 1974 is listed under 1974. */
function isLessExact(row: GridRow): row is GridRow & { date_edtf: string } {
  const heading = headingOfGroup(row)
  return heading !== 'undated' && heading !== 'day' && row.date_edtf !== null
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
