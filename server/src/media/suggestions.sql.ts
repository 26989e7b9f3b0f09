import { endOfDay, type Group, headingOfGroup, rankOf } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { Suggestion, Suggestions } from '#contract/media-list.ts'
import type { Handle } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { filesByDay } from './counts.sql.ts'

/** Of each kind except years. */
const MOST = 30

/** Passed in by the composition root, because tags depend on media. */
export type UsedTags = (handle: Handle) => Promise<{ id: number; name: string; file_count: number }[]>

/** What the search box offers before anything is typed. Five queries, each answered from an index. */
export async function selectSuggestions(handle: Handle, usedTags: UsedTags): Promise<Suggestions> {
  const [place, tag, camera, year, uploader] = await Promise.all([
    countValues(handle, 'location'),
    countTags(handle, usedTags),
    countValues(handle, 'camera'),
    countYears(handle),
    countUploaders(handle),
  ])
  return { place, tag, camera, year, uploader }
}

async function countValues(handle: Handle, column: 'location' | 'camera'): Promise<Suggestion[]> {
  const rows = await handle
    .selectFrom('media')
    .select(({ fn, ref }) => [ref(column).$castTo<string>().as('value'), fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .where(column, 'is not', null)
    .where(column, '<>', '')
    .groupBy(column)
    .orderBy('count', 'desc')
    .orderBy(column)
    .limit(MOST)
    .execute()
  return rows.map(({ value, count }) => ({ value, label: value, count }))
}

async function countTags(handle: Handle, usedTags: UsedTags): Promise<Suggestion[]> {
  const tags = await usedTags(handle)
  return tags.slice(0, MOST).map(({ id, name, file_count }) => ({ value: id, label: name, count: file_count }))
}

async function countUploaders(handle: Handle): Promise<Suggestion[]> {
  const counts = handle
    .selectFrom('media')
    .select(({ fn }) => ['uploaded_by', fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .groupBy('uploaded_by')
  return handle
    .selectFrom(counts.as('counts'))
    .innerJoin('people', 'people.id', 'counts.uploaded_by')
    .select(['people.id as value', 'people.name as label', 'counts.count'])
    .orderBy('count', 'desc')
    .orderBy('people.id')
    .limit(MOST)
    .execute()
}

async function countYears(handle: Handle): Promise<Suggestion[]> {
  const days = await filesByDay(handle, {}).execute()
  const around = await countAround(handle, days)
  const counts = new Map<number, number>()
  for (const { files, ...group } of days) {
    const heading = headingOfGroup(group)
    // A decade is in every year of it, and makes none of them worth offering.
    if (heading === 'undated' || heading === 'decade') continue
    const year = new Date(group.day * DAY).getUTCFullYear()
    counts.set(year, (counts.get(year) ?? 0) + files)
  }
  const newestFirst = [...counts].sort(([a], [b]) => b - a)
  return newestFirst.map(([value, count]) => ({ value, label: String(value), count: count + around(value) }))
}

/** How many files are from a decade, or a time between two dates, that a year is part of: as the filter by year finds them. */
async function countAround(handle: Handle, days: readonly Group[]): Promise<(year: number) => number> {
  const keys = days.filter(group => headingOfGroup(group) === 'decade').map(({ day }) => endOfDay(day))
  const rows: { date_earliest: number | null; date_latest: number | null; files: number }[] = []
  for (const some of inChunks(keys)) {
    const found = await handle
      .selectFrom('media')
      .select(({ fn }) => ['date_earliest', 'date_latest', fn.countAll<number>().as('files')])
      .where('deleted_at', 'is', null)
      .where('date_sort', 'in', some)
      .where('heading_rank', '=', rankOf('decade'))
      .groupBy(['date_earliest', 'date_latest'])
      .execute()
    rows.push(...found)
  }
  return year => {
    const [first, last] = [Date.UTC(year, 0), Date.UTC(year + 1, 0) - 1]
    const found = rows.filter(({ date_earliest: from, date_latest: to }) => {
      return from !== null && to !== null && from <= last && to >= first
    })
    return found.reduce((sum, { files }) => sum + files, 0)
  }
}
