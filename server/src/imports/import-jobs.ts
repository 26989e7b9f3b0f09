import { z } from 'zod'
import { type ImportKind, ImportReport } from '#contract/imports.ts'
import type { ImportRow } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { SourceError } from './archives/tree-part.ts'
import type { ImportDeps } from './importing.ts'
import { changeState, findImport, insertImport, updateImport } from './imports.sql.ts'
import { readers } from './readers.ts'
import { importPlan } from './run-import.ts'
import { type UndoImportDeps, undoImport } from './undo-import.ts'

interface ImportJob {
  importId: number
}

/** In a lane of its own, because an import takes hours. It goes on where a stopped or killed server was. */
const runJob = defineJob<ImportJob>('imports.run', { lane: 'import', attempts: 100, keepsFailed: false })
const undoJob = defineJob<ImportJob>('imports.undo', { lane: 'import', attempts: 100, keepsFailed: false })

export interface ImportJobDeps extends UndoImportDeps {
  dataFolder: string
  log: { error(context: object, message: string): void }
}

export function handleImportJobs(queue: Queue, deps: ImportJobDeps): void {
  queue.handle(runJob, {
    run: ({ importId }, { signal }) => runImport(deps, importId, signal),
    onFailed: (tx, { importId }, failure) =>
      changeState(tx, importId, ['waiting', 'running'], { state: 'failed', failure, finished_at: deps.clock() }).then(
        () => {},
      ),
  })
  queue.handle(undoJob, {
    run: ({ importId }, { signal }) => runUndo(deps, importId, signal),
    onFailed: (tx, { importId }, failure) =>
      changeState(tx, importId, ['undoing'], { state: 'failed', failure, finished_at: deps.clock() }).then(() => {}),
  })
}

type RequestDeps = Pick<ImportDeps, 'db' | 'clock' | 'queue'>

/** For the server to run. Its `source` is what the reader of this kind needs. */
export async function requestImport(
  { db, clock, queue }: RequestDeps,
  { kind, source, personId }: { kind: ImportKind; source: unknown; personId: number },
): Promise<number> {
  return db.transaction(async tx => {
    const row = { kind, source: JSON.stringify(source), person_id: personId, created_at: clock() }
    const importId = await insertImport(tx, row)
    await queue.enqueue(tx, runJob, { importId }, { uniqueKey: `import:${importId}`, ownerId: personId })
    return importId
  })
}

/** Goes on with one that was stopped or has failed. False: it is neither. */
export async function resumeImport({ db, queue }: RequestDeps, importId: number): Promise<boolean> {
  return db.transaction(async tx => {
    const row = await findImport(tx, importId)
    if (!row || !(await changeState(tx, importId, ['stopped', 'failed'], { state: 'waiting', failure: null })))
      return false
    await queue.enqueue(tx, runJob, { importId }, { uniqueKey: `import:${importId}`, ownerId: row.person_id })
    return true
  })
}

/** It ends within a second, and everything that it has brought stays. */
export async function stopImport({ db }: Pick<RequestDeps, 'db'>, importId: number): Promise<boolean> {
  return changeState(db.query, importId, ['waiting', 'running'], { state: 'stopped' })
}

/** False: it is still running, or undone already. */
export async function requestUndo({ db, queue }: RequestDeps, importId: number): Promise<boolean> {
  return db.transaction(async tx => {
    const row = await findImport(tx, importId)
    if (!row || !(await changeState(tx, importId, ['done', 'stopped', 'failed'], { state: 'undoing', failure: null })))
      return false
    await queue.enqueue(tx, undoJob, { importId }, { uniqueKey: `import:${importId}`, ownerId: row.person_id })
    return true
  })
}

const PROGRESS_EVERY_MS = 1_000

/** Also called by commands, where no server is running. */
export async function runImport(deps: ImportJobDeps, importId: number, signal: AbortSignal): Promise<void> {
  const { db, clock, dataFolder } = deps
  const started = { state: 'running', started_at: clock(), files_done: 0, bytes_done: 0, failure: null } as const
  if (!(await changeState(db.query, importId, ['waiting', 'running'], started))) return
  const row = await findImport(db.query, importId)
  if (!row) return
  const stop = new AbortController()
  const done = { files_done: 0, bytes_done: 0 }
  const timer = setInterval(
    () => void writeProgress(deps, importId, done).then(is => is || stop.abort()),
    PROGRESS_EVERY_MS,
  )
  const both = AbortSignal.any([signal, stop.signal])
  try {
    const report = await readAndImport(deps, row, done, { signal: both, leaveOut: dataFolder })
    const ended = { ...done, state: 'done', finished_at: clock(), report: JSON.stringify(report) } as const
    await changeState(db.query, importId, ['running'], ended)
  } catch (error) {
    // Stopped by a person, who may let it go on.
    if (stop.signal.aborted) return
    signal.throwIfAborted()
    if (!(error instanceof SourceError)) throw error
    // Trying again would not help.
    await changeState(db.query, importId, ['running'], {
      state: 'failed',
      failure: error.message,
      finished_at: clock(),
    })
  } finally {
    clearInterval(timer)
  }
}

async function readAndImport(
  deps: ImportJobDeps,
  { id: importId, kind, person_id: personId, source }: ImportRow,
  done: { files_done: number; bytes_done: number },
  { signal, leaveOut }: { signal: AbortSignal; leaveOut: string },
): Promise<ImportReport> {
  const { db, scratch } = deps
  const parsed: unknown = JSON.parse(source)
  const plan = await readers[kind](parsed, { leaveOut, scratch, signal })
  try {
    const files = plan.items.reduce((sum, item) => sum + (item.clip ? 2 : 1), 0)
    const bytes = plan.items.reduce((sum, item) => sum + item.file.size + (item.clip?.item.file.size ?? 0), 0)
    await updateImport(db.query, importId, { files, bytes })
    const { again } = Again.parse(parsed)
    const progress = (files: number, bytes: number) => {
      done.files_done += files
      done.bytes_done += bytes
    }
    return await importPlan(deps, plan, { importId, kind, personId, again, signal, progress })
  } finally {
    await plan.close()
  }
}

const Again = z.object({ again: z.boolean().catch(false) })

/** False: somebody has stopped it. */
async function writeProgress({ db, log }: ImportJobDeps, importId: number, done: object): Promise<boolean> {
  try {
    return await changeState(db.query, importId, ['running'], done)
  } catch (error) {
    log.error({ err: error, import: importId }, 'the progress of an import could not be written')
    return true
  }
}

export async function runUndo(deps: ImportJobDeps, importId: number, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const row = await findImport(db.query, importId)
  if (row?.state !== 'undoing') return
  await undoImport(deps, { importId, personId: row.person_id, signal })
  await changeState(db.query, importId, ['undoing'], { state: 'undone', finished_at: clock() })
}

/** Undefined: it has not ended, or was written by another version. */
export function reportOf({ report }: Pick<ImportRow, 'report'>): ImportReport | undefined {
  return report === null ? undefined : ImportReport.safeParse(JSON.parse(report)).data
}
