import { memories as limits, topCards } from '#contract/limits.ts'
import type { MemoryGroup } from '#contract/memories.ts'
import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'
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
  selectDaysWithPhotos,
  selectHidden,
  selectMemories,
  showDay,
  showFile,
} from './memories.sql.ts'

export interface MemoryDeps extends PresentDeps {
  db: Database
  clock: Clock
}

/** A day in earlier years, newest first. */
export async function memoriesOfDay(
  deps: MemoryDeps,
  personId: number,
  { today, day }: { today: string; day?: string | undefined },
): Promise<{ groups: MemoryGroup[]; nearest: Nearest | null }> {
  const rows = await selectMemories(deps.db, personId, daysInOtherYears(today, day), limits.shown)
  if (rows.length === 0) return { groups: [], nearest: await nearestDay(deps.db, personId, today, day) }
  const ids = rows.map(row => row.id)
  const files = await presentAll(deps, await selectByIds(deps.db, ids))
  const byId = new Map(files.map(file => [file.id, file]))
  return {
    groups: groupsOf(rows, today).map(({ rows, ...group }) => ({
      ...group,
      files: rows.flatMap(({ id }) => byId.get(id) ?? []),
    })),
    nearest: null,
  }
}

interface Nearest {
  /** Of any year, as in "11-21". */
  day: string
  count: number
}

/** The day of the year nearest to this one that has memories; of two as near, the later one. */
async function nearestDay(
  db: Database,
  personId: number,
  today: string,
  wanted = today.slice(5),
): Promise<Nearest | null> {
  const days = await selectDaysWithPhotos(db, dayNumber(today))
  const byMonthDay = Map.groupBy(days, day => dateOfDay(day).slice(5))
  const nearest = [...byMonthDay.keys()]
    .map(day => ({ day, distance: daysBetween(wanted, day) }))
    .filter(({ distance }) => distance !== 0)
    .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance) || b.distance - a.distance)
    .slice(0, limits.nearestTried)
  // The person may have hidden some of them, or they have screenshots alone.
  const rows = await selectMemories(
    db,
    personId,
    nearest.flatMap(({ day }) => byMonthDay.get(day) ?? []),
    1,
  )
  for (const { day } of nearest) {
    const count = rows.reduce((sum, row) => sum + (dateOfDay(row.day).endsWith(day) ? row.files : 0), 0)
    if (count > 0) return { day, count }
  }
  return null
}

/** From one day of the year to another by the shorter way, in a leap year. */
function daysBetween(from: string, to: string): number {
  const LEAP = 366
  const days = dayNumber(`2000-${to}`) - dayNumber(`2000-${from}`)
  return days > LEAP / 2 ? days - LEAP : days < -LEAP / 2 ? days + LEAP : days
}

export function groupsOf(rows: readonly MemoryRow[], today: string) {
  return [...Map.groupBy(rows, row => row.day)].map(([day, rows]) => {
    const date = dateOfDay(day)
    const years = Number(today.slice(0, 4)) - Number(date.slice(0, 4))
    return { date, years, place: mostFrequentPlace(rows), count: rows[0]?.files ?? 0, rows }
  })
}

/** The days for "On this day" in a mail, newest first. */
export async function memoriesForMail(db: Database, personId: number, today: string) {
  const rows = await selectMemories(db, personId, daysInOtherYears(today), topCards.coversOfMemory)
  return groupsOf(rows, today).map(({ date, place, count }) => ({ date, place, count }))
}

function mostFrequentPlace(rows: readonly MemoryRow[]): string | null {
  const places = Map.groupBy(
    rows.flatMap(({ location }) => (location ? partsOf(location) : [])),
    ({ country, town }) => town?.area ?? country,
  )
  const [first] = [...places].sort(([, a], [, b]) => b.length - a.length)
  return first?.[0] ?? null
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
