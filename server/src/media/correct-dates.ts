import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { changeDates, DateChange, previewDates } from '#contract/dates.ts'
import { formatEdtf, type KnownDate, parseEdtf } from '#contract/edtf.ts'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import { recordChange, type UndoKind } from '../changes/public.ts'
import type { Handle } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { isTimeZone, MINUTE, offsetOfClock, wallClockIn } from '../processing/dates/time-zones.ts'
import { announceFiles } from './announce.ts'
import { type DatedRow, type DateUpdate, findDated, lockDated, selectDated, updateDates } from './correct-dates.sql.ts'
import { type EditDeps, noSuchFile } from './edit.ts'
import { dateColumns, shownEdtf, wallClock } from './file-date.ts'
import { shifted } from './shift-date.ts'

export interface CorrectDatesDeps extends EditDeps {
  tools: { homeTimeZone: string }
}

export async function correctDates(
  { db, clock, tools }: CorrectDatesDeps,
  actorId: number,
  { fileIds, change, continues }: ParsedInput<typeof changeDates>['body'],
): Promise<Answer<typeof changeDates>> {
  const { homeTimeZone } = tools
  const wanted = await resolveChange(db.query, change)
  // Before the transaction, because others who write wait for it.
  const planned = await planChange(await selectDated(db.query, fileIds), wanted, homeTimeZone)
  return db.bulkTransaction(fileIds.length, async tx => {
    const { changed, skipped } = checkedPlan(await lockDated(db, tx, fileIds), planned, wanted, homeTimeZone)
    const at = clock()
    const by = { corrected_by: actorId, corrected_at: at }
    await updateDates(
      tx,
      changed.map(({ row, edtf }) => ({ ...columnsFor(row, edtf), ...by })),
    )
    const files = changed.map(({ row }) => ({ id: row.id, file_type: row.file_type, before: dateBefore(row) }))
    const change_id = await recordChange(tx, { act: 'media.date', field: 'date', actorId, at, continues, files })
    await announceFiles(db, tx, idsOf(files))
    return { changed: files.length, skipped, change_id }
  })
}

/** What {@link correctDates} would do. */
export async function previewCorrection(
  { db, tools }: Pick<CorrectDatesDeps, 'db' | 'tools'>,
  { fileIds, change }: ParsedInput<typeof previewDates>['body'],
): Promise<Answer<typeof previewDates>> {
  const { homeTimeZone } = tools
  const wanted = await resolveChange(db.query, change)
  const { changed, skipped } = await planChange(await selectDated(db.query, fileIds), wanted, homeTimeZone)
  const byId = new Map(changed.map(one => [one.row.id, one]))
  const [first] = fileIds.flatMap(id => byId.get(id) ?? [])
  return {
    changed: changed.length,
    skipped,
    first: first ? presentChange(first) : null,
    home_zone: homeTimeZone,
  }
}

function presentChange({ row, edtf }: PlannedChange) {
  const before = dateOf(row)
  const after = edtf ?? row.found_edtf
  return {
    name: row.original_name,
    before: before ? shownEdtf(formatEdtf(before)) : null,
    after: shownEdtf(after),
  }
}

type ResolvedChange = Exclude<DateChange, { kind: 'copy' }>

async function resolveChange(handle: Handle, change: DateChange): Promise<ResolvedChange> {
  if (change.kind === 'zone' && !isTimeZone(change.zone)) {
    throw new AppError('invalid', 'dates.unknownTimeZone')
  }
  return change.kind === 'copy' ? { kind: 'set', edtf: await dateToCopy(handle, change.from) } : change
}

interface PlannedChange {
  row: DatedRow
  /** The correction; null: back to what was found. */
  edtf: string | null
}

interface Plan {
  changed: PlannedChange[]
  /** Of files whose date is not exact enough. */
  skipped: number
}

/** Other requests are answered in between: time zones of 100,000 files take seconds. */
export async function planChange(
  rows: readonly DatedRow[],
  change: ResolvedChange,
  homeTimeZone: string,
): Promise<Plan & { rows: readonly DatedRow[] }> {
  const changed: PlannedChange[] = []
  let skipped = 0
  for (const some of inChunks(rows)) {
    const planned = planRows(some, change, homeTimeZone)
    changed.push(...planned.changed)
    skipped += planned.skipped
    await setImmediate()
  }
  return { rows, changed, skipped }
}

function planRows(rows: readonly DatedRow[], change: ResolvedChange, homeTimeZone: string): Plan {
  const changed: PlannedChange[] = []
  let skipped = 0
  for (const row of rows) {
    const edtf = change.kind === 'clear' ? null : correctedDate(change, row, homeTimeZone)
    if (edtf === undefined) skipped += 1
    else if (edtf !== (row.date_source === 'person' ? row.date_edtf : null)) changed.push({ row, edtf })
  }
  return { changed, skipped }
}

/** The plan, made again if somebody has changed one of its files before they were locked. */
function checkedPlan(
  locked: readonly DatedRow[],
  plan: Plan & { rows: readonly DatedRow[] },
  change: ResolvedChange,
  homeTimeZone: string,
): Plan {
  const byId = (rows: readonly DatedRow[]) => JSON.stringify(rows.toSorted((a, b) => a.id - b.id))
  return byId(locked) === byId(plan.rows) ? plan : planRows(locked, change, homeTimeZone)
}

const DateBefore = z.object({
  edtf: z.string().nullable(),
  source: z.string().nullable(),
  by: z.number().nullable(),
  at: z.number().nullable(),
})

function dateBefore(row: DatedRow): z.infer<typeof DateBefore> {
  return { edtf: row.date_edtf, source: row.date_source, by: row.corrected_by, at: row.corrected_at }
}

/** Restores the correction that each file had, or the date that was found. */
export function undoDates({ db }: Pick<EditDeps, 'db'>): UndoKind {
  return async (tx, { fileIds, filesBefore }) => {
    const rows = await lockDated(db, tx, fileIds)
    const befores = await filesBefore(idsOf(rows))
    const updates = rows.flatMap((row): DateUpdate[] => {
      if (!befores.has(row.id)) return []
      const { edtf, source, by, at } = DateBefore.parse(befores.get(row.id))
      if (source !== 'person') return [{ ...columnsFor(row, null), corrected_by: null, corrected_at: null }]
      return [{ ...columnsFor(row, edtf), corrected_by: by, corrected_at: at }]
    })
    await updateDates(tx, updates)
    await announceFiles(db, tx, idsOf(updates))
    return idsOf(updates)
  }
}

function idsOf(files: readonly { id: number }[]): number[] {
  return files.map(({ id }) => id)
}

/** Null: without a correction, by the date that was found. */
function columnsFor(row: DatedRow, edtf: string | null) {
  const { id, uploaded_at } = row
  const columns =
    edtf === null
      ? dateColumns(row.found_edtf, row.found_source, uploaded_at)
      : dateColumns(edtf, 'person', uploaded_at)
  return { id, ...columns }
}

async function dateToCopy(handle: Handle, id: number): Promise<string> {
  const row = await findDated(handle, id)
  if (!row) throw noSuchFile()
  const date = row.date_edtf === null ? undefined : dateOf(row)
  if (!date || date.precision === 'unknown') {
    throw new AppError('conflict', 'dates.nothingToCopy')
  }
  return formatEdtf(date)
}

/** The date that counts, with the offset of the camera's clock. */
function dateOf(row: DatedRow): KnownDate | undefined {
  // A camera's clock that was not set is wrong, but the difference between two photos is right.
  if (row.date_edtf === null) {
    const { taken_local: taken, taken_offset: offsetMinutes } = row
    if (taken === null) return undefined
    return { precision: 'time', local: wallClock(taken), offsetMinutes }
  }
  const date = parseEdtf(row.date_edtf)
  const isCamera = row.date_source === 'metadata' || row.date_source === 'sidecar'
  return date?.precision === 'time' && isCamera ? { ...date, offsetMinutes: row.taken_offset } : date
}

/** Undefined where the date is not exact enough for the change. */
function correctedDate(
  change: Exclude<ResolvedChange, { kind: 'clear' }>,
  row: DatedRow,
  homeTimeZone: string,
): string | undefined {
  if (change.kind === 'set') return change.edtf
  const date = dateOf(row)
  if (!date) return undefined
  const changed =
    change.kind === 'shift'
      ? shifted(date, { months: change.months ?? 0, minutes: change.minutes ?? 0 })
      : inZone(date, change, homeTimeZone)
  const edtf = changed && formatEdtf(changed)
  // A date that no photo can have is no correction.
  return edtf !== undefined && parseEdtf(edtf) ? edtf : undefined
}

/** A clock without an offset is taken as that of the home time zone. */
function inZone(
  date: KnownDate,
  { zone, keep }: Extract<DateChange, { kind: 'zone' }>,
  homeTimeZone: string,
): KnownDate | undefined {
  if (date.precision !== 'time') return undefined
  if (keep === 'clock') return { ...date, offsetMinutes: offsetOfClock(zone, date.local) }
  const offset = date.offsetMinutes ?? offsetOfClock(homeTimeZone, date.local)
  const moved = wallClockIn(zone, Date.parse(`${date.local}Z`) - offset * MINUTE)
  return moved && { precision: 'time', ...moved }
}
