import { readGroup } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { Suggestion, Suggestions } from '#contract/media-list.ts'
import type { Handle } from '../db/schema.ts'
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
  const days = await filesByDay(handle, { folder: undefined, type: undefined }).execute()
  const counts = new Map<number, number>()
  for (const { day, files } of days) {
    const group = readGroup(day)
    // As the filter by year: a decade is in no year.
    if (group === 'undated' || group.heading === 'decade') continue
    const year = new Date(group.day * DAY).getUTCFullYear()
    counts.set(year, (counts.get(year) ?? 0) + files)
  }
  const newestFirst = [...counts].sort(([a], [b]) => b - a)
  return newestFirst.map(([value, count]) => ({ value, label: String(value), count }))
}
