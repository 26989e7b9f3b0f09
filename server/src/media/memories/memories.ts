import { memories as limits, visits } from '#contract/limits.ts'
import type { GalleryTop, MemoryGroup } from '#contract/memories.ts'
import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/schema.ts'
import { type Clock, toIso } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { announce } from '../../live/announce.ts'
import { partsOf } from '../../processing/place-parts.ts'
import { noSuchFile } from '../edit.ts'
import { fileCards } from '../file-cards.ts'
import { selectByIds } from '../list.sql.ts'
import { shareLockActiveMedia } from '../media.sql.ts'
import { type PresentDeps, presentAll } from '../present.ts'
import { dateOfDay, dayNumber, daysInOtherYears } from './days.ts'
import {
  countHidden,
  hideDay,
  hideFile,
  type MemoryRow,
  selectHidden,
  selectMemories,
  showDay,
  showFile,
} from './memories.sql.ts'
import { countNewFiles, findVisit, lockVisit, upsertVisit, type Visit } from './visits.sql.ts'

export interface MemoryDeps extends PresentDeps {
  db: Database
  clock: Clock
}

/** A day in earlier years, newest first. */
export async function memoriesOfDay(
  deps: MemoryDeps,
  personId: number,
  { today, day }: { today: string; day?: string | undefined },
): Promise<{ groups: MemoryGroup[] }> {
  const rows = await selectMemories(deps.db, personId, daysInOtherYears(today, day), limits.shown)
  if (rows.length === 0) return { groups: [] }
  const ids = rows.map(row => row.id)
  const files = await presentAll(deps, await selectByIds(deps.db, ids))
  const byId = new Map(files.map(file => [file.id, file]))
  return {
    groups: groupsOf(rows, today).map(({ rows, ...group }) => ({
      ...group,
      files: rows.flatMap(({ id }) => byId.get(id) ?? []),
    })),
  }
}

/** Above the files of the gallery. Part of the first screen, so that nothing moves when it arrives. */
export async function galleryTop(deps: MemoryDeps, personId: number, today: string): Promise<GalleryTop> {
  const visit = await findVisit(deps.db.query, personId)
  const [memories, new_files] = await Promise.all([
    visit?.memories_closed_day === dayNumber(today) ? [] : memoryCovers(deps, personId, today),
    newFiles(deps, personId, visit),
  ])
  return { memories, new_files }
}

async function memoryCovers(deps: MemoryDeps, personId: number, today: string): Promise<GalleryTop['memories']> {
  const { db, storage } = deps
  const rows = await selectMemories(db, personId, daysInOtherYears(today), limits.shown)
  const groups = groupsOf(rows, today).slice(0, limits.groups)
  const covers = groups.flatMap(({ rows }) => rows[0]?.id ?? [])
  const cards = await fileCards(db.query, storage, covers)
  return groups.flatMap(({ rows, ...group }) => {
    const cover = cards.get(rows[0]?.id ?? 0)
    return cover ? { ...group, cover } : []
  })
}

function groupsOf(rows: readonly MemoryRow[], today: string) {
  return [...Map.groupBy(rows, row => row.day)].map(([day, rows]) => {
    const date = dateOfDay(day)
    const years = Number(today.slice(0, 4)) - Number(date.slice(0, 4))
    return { date, years, place: mostFrequentPlace(rows), count: rows[0]?.files ?? 0, rows }
  })
}

function mostFrequentPlace(rows: readonly MemoryRow[]): string | null {
  const places = Map.groupBy(
    rows.flatMap(({ location }) => (location ? partsOf(location) : [])),
    ({ country, town }) => town?.area ?? country,
  )
  const [first] = [...places].sort(([, a], [, b]) => b.length - a.length)
  return first?.[0] ?? null
}

/** After a gap, what is new counts from the end of the last visit, even before a page has recorded this one. */
function newSince(visit: Visit | undefined, now: number): number | null {
  if (!visit) return null
  return visit.seen_at !== null && now - visit.seen_at >= visits.gap ? visit.seen_at : visit.new_since
}

async function newFiles(
  { db, clock }: MemoryDeps,
  personId: number,
  visit: Visit | undefined,
): Promise<GalleryTop['new_files']> {
  const since = newSince(visit, clock())
  if (since === null) return null
  const count = await countNewFiles(db, { personId, since })
  return count === 0 ? null : { since: toIso(since), count }
}

/** Less often than pages send it, so that several devices do not write at every click. */
const WRITE_EVERY = visits.recordEvery / 2

export async function recordVisit({ db, clock }: MemoryDeps, personId: number): Promise<{ began: boolean }> {
  return db.transaction(async tx => {
    // Locked: two devices may report at once, or one of them that what is new has been seen.
    const [visit, now] = [await lockVisit(db, tx, personId), clock()]
    const seen_at = visit?.seen_at ?? null
    if (seen_at !== null && now - seen_at < WRITE_EVERY) return { began: false }
    const began = seen_at === null || now - seen_at >= visits.gap
    await upsertVisit(tx, personId, { seen_at: now, new_since: newSince(visit, now) })
    return { began }
  })
}

/** Also records the visit: otherwise its first record would make the same files new again. */
export async function setNewSince({ db, clock }: MemoryDeps, personId: number, since: string | null): Promise<void> {
  await changeOwn(db, personId, tx =>
    upsertVisit(tx, personId, { seen_at: clock(), new_since: since === null ? null : Date.parse(since) }),
  )
}

export async function closeMemories({ db }: MemoryDeps, personId: number, day: string | null): Promise<void> {
  await changeOwn(db, personId, tx =>
    upsertVisit(tx, personId, { memories_closed_day: day === null ? null : dayNumber(day) }),
  )
}

export async function hideMemoryDay({ db, clock }: MemoryDeps, personId: number, date: string): Promise<void> {
  await changeOwn(db, personId, async tx => {
    await refuseTooMany(tx, personId)
    await hideDay(tx, personId, dayNumber(date), clock())
  })
}

export async function showMemoryDay({ db }: MemoryDeps, personId: number, date: string): Promise<void> {
  await changeOwn(db, personId, tx => showDay(tx, personId, dayNumber(date)))
}

export async function hideMemory({ db, clock }: MemoryDeps, personId: number, mediaId: number): Promise<void> {
  await changeOwn(db, personId, async tx => {
    if (!(await shareLockActiveMedia(db, tx, mediaId))) throw noSuchFile()
    await refuseTooMany(tx, personId)
    await hideFile(tx, personId, mediaId, clock())
  })
}

export async function showMemory({ db }: MemoryDeps, personId: number, mediaId: number): Promise<void> {
  await changeOwn(db, personId, tx => showFile(tx, personId, mediaId))
}

async function refuseTooMany(tx: Tx, personId: number): Promise<void> {
  if ((await countHidden(tx, personId)) < limits.hidden) return
  throw new AppError('conflict', 'memories.manyHidden', { count: limits.hidden })
}

/** No audit entry: it concerns nobody else. */
async function changeOwn(db: Database, personId: number, act: (tx: Tx) => Promise<void>): Promise<void> {
  await db.transaction(async tx => {
    await act(tx)
    await announce(db, tx, { kind: 'memories' }, [personId])
  })
}

export async function listHidden({ db, storage }: MemoryDeps, personId: number) {
  const { days, files } = await selectHidden(db.query, personId)
  const cards = await fileCards(db.query, storage, files)
  return { days: days.map(dateOfDay), files: files.flatMap(id => cards.get(id) ?? []) }
}
