import { setImmediate } from 'node:timers/promises'
import type { changeDates, DateChange, previewDates, undoDates } from '#contract/dates.ts'
import { formatEdtf, type KnownDate, parseEdtf } from '#contract/edtf.ts'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import { recordAudit } from '../audit/public.ts'
import type { Handle, Tx } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { isTimeZone, MINUTE, offsetOfClock, wallClockIn } from '../processing/dates/time-zones.ts'
import { announceFiles } from './announce.ts'
import {
  type DatedRow,
  type DateUpdate,
  findDated,
  idsOfCorrection,
  lockDated,
  selectDated,
  updateDates,
} from './correct-dates.sql.ts'
import { type EditDeps, noSuchFile } from './edit.ts'
import { dateColumns, isDoubtful, shownEdtf, wallClock } from './file-date.ts'

export interface CorrectDeps extends EditDeps {
  tools: { homeTimeZone: string }
}

/** The correction of a file before a change; null: it had none. */
type Correction = { edtf: string; by: number | null; at: number | null } | null

export async function correctDates(
  { db, clock, tools }: CorrectDeps,
  actorId: number,
  { fileIds, change }: ParsedInput<typeof changeDates>['body'],
): Promise<Answer<typeof changeDates>> {
  return db.transaction(async tx => {
    const wanted = await resolveChange(tx, change)
    const at = clock()
    const { changed, skipped } = await planChange(await lockDated(db, tx, fileIds), wanted, tools.homeTimeZone)
    const updates = changed.map(({ row, edtf }): DateUpdate => {
      const date_before = JSON.stringify(correctionOf(row))
      return { ...columnsFor(row, edtf), corrected_by: actorId, corrected_at: at, date_before }
    })
    const rows = changed.map(({ row }) => row)
    await store({ db, clock }, tx, actorId, { changed: rows, updates })
    return { fileIds: updates.map(({ id }) => id), skipped, changed_at: toIso(at) }
  })
}

/** What {@link correctDates} would do. */
export async function previewCorrection(
  { db, tools }: Pick<CorrectDeps, 'db' | 'tools'>,
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
    throw new AppError('invalid', 'This time zone is not known.')
  }
  return change.kind === 'copy' ? { kind: 'set', edtf: await dateToCopy(handle, change.from) } : change
}

interface PlannedChange {
  row: DatedRow
  /** The correction; null: back to what was found. */
  edtf: string | null
}

/** Other requests are answered in between: time zones of 100,000 files take seconds. */
export async function planChange(
  rows: readonly DatedRow[],
  change: ResolvedChange,
  homeTimeZone: string,
): Promise<{ changed: PlannedChange[]; skipped: number }> {
  const changed: PlannedChange[] = []
  let skipped = 0
  for (const some of inChunks(rows)) {
    for (const row of some) {
      const edtf = change.kind === 'clear' ? null : correctedDate(change, row, homeTimeZone)
      if (edtf === undefined) skipped += 1
      else if (edtf !== (correctionOf(row)?.edtf ?? null)) changed.push({ row, edtf })
    }
    await setImmediate()
  }
  return { changed, skipped }
}

/** Restores what each file had, where this person's change is still the last one. */
export async function undoCorrection(
  { db, clock }: EditDeps,
  actorId: number,
  { fileIds, changed_at }: ParsedInput<typeof undoDates>['body'],
): Promise<Answer<typeof undoDates>> {
  return db.transaction(async tx => {
    const at = Date.parse(changed_at)
    const rows = await lockDated(db, tx, fileIds ?? (await idsOfCorrection(tx, { by: actorId, at })))
    // Only one step is stored: after an undo it is not known what was before the change that is current again.
    const changed = rows.flatMap(row =>
      row.corrected_at === at && row.corrected_by === actorId && row.date_before !== null
        ? { ...row, date_before: row.date_before }
        : [],
    )
    if (changed.length === 0) throw new AppError('conflict', 'The dates have been changed again since.')
    const updates = changed.map((row): DateUpdate => {
      const before: Correction = JSON.parse(row.date_before)
      const by = { corrected_by: before?.by ?? null, corrected_at: before?.at ?? null }
      return { ...columnsFor(row, before?.edtf ?? null), ...by, date_before: null }
    })
    await store({ db, clock }, tx, actorId, { changed, updates })
    return { restored: updates.length }
  })
}

async function store(
  { db, clock }: EditDeps,
  tx: Tx,
  actorId: number,
  { changed, updates }: { changed: readonly DatedRow[]; updates: readonly DateUpdate[] },
): Promise<void> {
  if (updates.length === 0) return
  await updateDates(tx, updates)
  const at = clock()
  await recordAudit(
    tx,
    changed.map(({ id, date_edtf: edtf, date_source: source }) => {
      return { at, actorId, act: 'media.date', subject: { type: 'media', id }, before: { edtf, source } }
    }),
  )
  await announceFiles(
    db,
    tx,
    updates.map(({ id }) => id),
  )
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

function correctionOf(row: DatedRow): Correction {
  if (row.date_source !== 'person' || row.date_edtf === null) return null
  return { edtf: row.date_edtf, by: row.corrected_by, at: row.corrected_at }
}

async function dateToCopy(handle: Handle, id: number): Promise<string> {
  const row = await findDated(handle, id)
  if (!row) throw noSuchFile()
  const date = row.date_edtf === null ? undefined : dateOf(row)
  if (!date || date.precision === 'unknown') {
    throw new AppError('conflict', 'That file has no date, so there is none to copy.')
  }
  return formatEdtf(date)
}

/** The date that counts, with the offset of the camera's clock. */
function dateOf(row: DatedRow): KnownDate | undefined {
  // A camera's clock that was not set is wrong, but the difference between two photos is right.
  if (row.date_edtf === null) {
    const { taken_local: taken, taken_offset: offsetMinutes, uploaded_at } = row
    if (taken === null || !isDoubtful(taken, uploaded_at)) return undefined
    return { precision: 'time', local: wallClock(taken), offsetMinutes }
  }
  const date = parseEdtf(row.date_edtf)
  const isCamera = row.date_source !== 'person' && row.date_source !== 'name' && row.date_source !== 'file'
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
  const changed = change.kind === 'shift' ? shifted(date, change.minutes) : inZone(date, change, homeTimeZone)
  const edtf = changed && formatEdtf(changed)
  // A date that no photo can have is no correction.
  return edtf !== undefined && parseEdtf(edtf) ? edtf : undefined
}

const MINUTES_PER_DAY = 24 * 60

function shifted(date: KnownDate, minutes: number): KnownDate | undefined {
  if (date.precision === 'time') {
    return { ...date, local: wallClock(Date.parse(`${date.local}Z`) + minutes * MINUTE) }
  }
  if (date.precision !== 'day' || minutes % MINUTES_PER_DAY !== 0) return undefined
  const moved = new Date(Date.UTC(date.year, (date.month ?? 1) - 1, date.day) + minutes * MINUTE)
  const day = parseEdtf(moved.toISOString().slice(0, 10))
  return day?.precision === 'day' ? { ...day, approximate: date.approximate } : undefined
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
