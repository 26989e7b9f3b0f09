import { type AuditAct, auditActs } from '#contract/audit.ts'
import type { LastChange, UndoableChange } from '#contract/changes.ts'
import { bulkChanges, changes, DAY } from '#contract/limits.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { ChangeRow, Tx } from '../db/schema.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { withLongQueries } from '../kit/read-limits.ts'
import {
  type ChangedFile,
  countUndoable,
  filesBefore,
  findChange,
  insertChange,
  insertFiles,
  lastChangesOf,
  lastChangesOfFile,
  markUndone,
  undoableIds,
  undoableOfEach,
} from './changes.sql.ts'

const { countedFiles } = changes

export interface Recorded {
  act: AuditAct
  /** Two changes of a file with the same field replace each other; null: it cannot be undone by its id. */
  field: string | null
  /** What all of its files have got, for the undo. The activity names the tag. */
  value?: { tag?: string; [name: string]: unknown }
  /** Null for changes of the server itself. */
  actorId: number | null
  at: number
  /** The id of the change of an earlier call. */
  continues?: number | null | undefined
  files: readonly ChangedFile[]
}

/** Records what a call has changed, in its transaction, with one line in the audit log. Null: no files. */
export async function recordChange(
  tx: Tx,
  { act, field, value, actorId, at, continues, files }: Recorded,
): Promise<number | null> {
  const [first] = files
  if (first === undefined) return continues ?? null
  const row = {
    kind: act,
    field,
    value: value === undefined ? null : JSON.stringify(value),
    person_id: actorId,
    created_at: at,
  }
  const change = continues == null ? await insertChange(tx, row) : await changeToContinue(tx, continues, row)
  await insertFiles(tx, change.id, files)
  if (continues == null) {
    const own = files.length === 1 ? Object(first.before) : undefined
    const before = own || value?.tag !== undefined ? { tag: value?.tag, ...own } : undefined
    await recordAudit(tx, [{ at, actorId, act, subject: { type: 'media', id: first.id }, before, changeId: change.id }])
  }
  return change.id
}

const LONGEST_CHANGE_MS = DAY

async function changeToContinue(
  tx: Tx,
  id: number,
  { kind, field, value, person_id, created_at }: Omit<ChangeRow, 'id' | 'files' | 'videos' | 'undone'>,
): Promise<ChangeRow> {
  const change = await findChange(tx, id)
  if (change?.person_id !== person_id) throw new AppError('conflict', 'changes.notYours')
  const isSame = change.kind === kind && change.field === field && change.value === value
  // A file that was undone would be changed again without an undo.
  if (!isSame || change.undone > 0 || created_at - change.created_at > LONGEST_CHANGE_MS) {
    throw new AppError('conflict', 'changes.cannotContinue')
  }
  return change
}

/** A change that is being undone for some of its files. */
export interface UndoneChange {
  fileIds: readonly number[]
  /** What all of its files have got. */
  value: unknown
  /** To be called once these files are locked. What those of them were before that nobody has changed since, by id. */
  filesBefore(lockedIds: readonly number[]): Promise<Map<number, unknown>>
}

/** Gives files of a change back what they had. Returns those that it changed. */
export type UndoKind = (tx: Tx, change: UndoneChange) => Promise<number[]>

export type UndoKinds = Partial<Record<AuditAct, UndoKind>>

export interface ChangeDeps {
  db: Database
  clock: Clock
  /** How each kind of change is undone. */
  undo: UndoKinds
}

/**
 * Undoes a change for all its files that were not deleted or changed again since, in as many transactions as its calls took.
 * What is undone does not belong to it any more, so that after a failure the rest can be undone.
 */
export async function undoChange(deps: ChangeDeps, personId: number, id: number): Promise<{ restored: number }> {
  const { db, undo } = deps
  const change = await findChange(db.query, id)
  const undoKind = change && undo[change.kind]
  if (undoKind === undefined || change?.person_id !== personId) throw noSuchChange()
  let restored = 0
  for (const some of inChunks(await undoableIds(db.query, change), bulkChanges.files)) {
    restored += await undoSome(deps, undoKind, change, some)
  }
  if (restored === 0) throw new AppError('conflict', 'changes.changedAgain')
  return { restored }
}

async function undoSome(
  { db, clock }: ChangeDeps,
  undoKind: UndoKind,
  change: ChangeRow,
  fileIds: readonly number[],
): Promise<number> {
  return db.bulkTransaction(fileIds.length, async tx => {
    const { id, kind, person_id: actorId } = change
    const value = change.value === null ? null : JSON.parse(change.value)
    const restored = await undoKind(tx, { fileIds, value, filesBefore: locked => filesBefore(tx, change, locked) })
    const [first] = restored
    if (first === undefined) return 0
    const at = clock()
    const undone = await markUndone(tx, id, restored, at)
    // One line for all files of the change.
    if (undone === restored.length) {
      const before = { undone: kind, tag: value?.tag }
      await recordAudit(tx, [
        { at, actorId, act: 'media.undo', subject: { type: 'media', id: first }, before, changeId: id },
      ])
    }
    return restored.length
  })
}

/** Those of somebody else are no different from those that never were. */
function noSuchChange(): AppError {
  return new AppError('not_found', 'changes.missing')
}

/** What this person can undo of a file. */
export async function undoableChanges(db: Database, mediaId: number, personId: number): Promise<UndoableChange[]> {
  const found = await lastChangesOfFile(db.query, mediaId, personId)
  return withLongQueries(`person ${personId}`, () => Promise.all(found.map(change => presentUndoable(db, change))))
}

/** What this person has changed last and can undo. */
export async function lastChanges({ db, undo }: ChangeDeps, personId: number): Promise<LastChange[]> {
  const kinds = auditActs.filter(act => undo[act] !== undefined)
  const found = await lastChangesOf(db.query, personId, { kinds, limit: changes.lastSearched })
  // As in the details, the files of large changes are not counted.
  const isLarge = ({ files, undone }: ChangeRow) => files - undone > countedFiles
  const small = found.filter(change => !isLarge(change)).map(({ id }) => id)
  const undoable = await withLongQueries(`person ${personId}`, () => undoableOfEach(db, small))
  const last = found.flatMap(change => {
    const { id, kind, created_at } = change
    const left = isLarge(change) ? { files: countedFiles + 1, name: null } : undoable.get(id)
    if (left === undefined) return []
    return {
      id,
      kind,
      at: toIso(created_at),
      tag: tagOf(change),
      files: left.files,
      name: left.files === 1 ? left.name : null,
    }
  })
  return last.slice(0, changes.shown)
}

async function presentUndoable(db: Database, change: ChangeRow): Promise<UndoableChange> {
  const { id, kind, created_at } = change
  // Not counted for large changes: where most of their files were changed again, all of them would be read.
  const isLarge = change.files - change.undone > countedFiles
  const files = isLarge ? countedFiles + 1 : await countUndoable(db, change)
  return { id, kind, at: toIso(created_at), files, tag: tagOf(change) }
}

function tagOf({ value }: ChangeRow): string | undefined {
  const { tag }: { tag?: string } = value === null ? {} : JSON.parse(value)
  return tag
}
