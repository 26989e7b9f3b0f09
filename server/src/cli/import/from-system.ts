import { setTimeout as pause } from 'node:timers/promises'
import type { ImportKind, ImportProblem, ImportReport } from '#contract/imports.ts'
import { createContext } from '../../context.ts'
import { connect, type Database } from '../../db/database.ts'
import type { ImportRow } from '../../db/schema.ts'
import { FolderInUse } from '../../db/sqlite/folder-lock.ts'
import { openFeatureDeps } from '../../feature-deps.ts'
import { aggregatedNotifications, features } from '../../features.ts'
import {
  findImport,
  findUnfinishedImport,
  insertImport,
  listImports,
  reportOf,
  requestImport,
  requestUndo,
  resumeImport,
  runImport,
  runUndo,
  stopImport,
} from '../../imports/public.ts'
import { createQueue } from '../../jobs/queue.ts'
import { toIso } from '../../kit/clock.ts'
import { printableLine } from '../../kit/log.ts'
import { type Call, CommandError, noopLog } from '../command.ts'
import { inBytes, inCount, inList, inNumber, type Progress, showProgress } from '../progress.ts'
import { findUploader } from './uploader.sql.ts'

interface Options {
  kind: ImportKind
  paths: string[]
  as: string | undefined
  again: boolean
  listAll: boolean
}

/** How an import is run: here, or by the server that has the library open. */
interface Library {
  db: Database
  start(personId: number, kind: ImportKind, source: object): Promise<{ importId: number; run: Promise<void> }>
  /** Undefined: it cannot be undone. */
  undo(importId: number): Promise<{ run: Promise<void> } | undefined>
  close(): Promise<void>
}

export async function importFrom(call: Call, { kind, paths, as, again, listAll }: Options): Promise<number> {
  const library = await openLibrary(call)
  try {
    const uploader = await findUploader(library.db.query, as)
    const { importId, run } = await library.start(uploader.id, kind, { paths, again })
    const row = await follow(call, library.db, importId, run)
    if (row.state !== 'done')
      throw new CommandError(row.failure ?? `The import ${importId} was stopped. Run it again and it goes on.`)
    const report = reportOf(row)
    if (!report) throw new CommandError(`The import ${importId} has no report.`)
    call.out.write(inSummary(report, importId, { name: uploader.name, listAll }))
    return report.problems.some(({ reason }) => reason === 'unreadable') ? 1 : 0
  } finally {
    await library.close()
  }
}

export async function undoImportOf(call: Call, importId: number): Promise<number> {
  const library = await openLibrary(call)
  try {
    const row = Number.isSafeInteger(importId) ? await findImport(library.db.query, importId) : undefined
    const undoing = row && (await library.undo(importId))
    if (!undoing)
      throw new CommandError('There is no such import that could be undone. “npm run import -- list” shows them.')
    const undone = await follow(call, library.db, importId, undoing.run)
    if (undone.state !== 'undone') throw new CommandError(undone.failure ?? 'The import could not be undone.')
    call.out.write(`Import ${importId} is undone: its files are in the trash, and the others are as they were.\n`)
    return 0
  } finally {
    await library.close()
  }
}

const MOST_LISTED = 50

export async function listImportsOf(call: Call): Promise<number> {
  const library = await openLibrary(call)
  try {
    for (const row of await listImports(library.db.query, MOST_LISTED)) {
      const report = reportOf(row)
      const added = report ? `, ${inCount(report.added, 'file')} added` : ''
      call.out.write(`${row.id}  ${toIso(row.created_at)}  ${row.kind}  ${row.state}${added}\n`)
    }
    return 0
  } finally {
    await library.close()
  }
}

async function openLibrary(call: Call): Promise<Library> {
  try {
    return await openHere(call)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return openBesideServer(call)
  }
}

async function openHere({ config, clock, signal }: Call): Promise<Library> {
  const context = await createContext(config, { clock, log: noopLog })
  const { db } = context
  const options = { aggregated: aggregatedNotifications, livePosition: () => undefined, trustedPushOrigin: undefined }
  const deps = await openFeatureDeps(context, features, options).catch(async error => {
    await context.close()
    throw error
  })
  return {
    db,
    async start(personId, kind, source) {
      const row = { kind, source: JSON.stringify(source), person_id: personId, created_at: clock() }
      const known = await findUnfinishedImport(db.query, row)
      const importId = known ?? (await db.transaction(tx => insertImport(tx, row)))
      return { importId, run: runImport(deps, importId, signal) }
    },
    async undo(importId) {
      return (await requestUndo(deps, importId)) ? { run: runUndo(deps, importId, signal) } : undefined
    },
    close: context.close,
  }
}

/** The server has its events and caches in memory, so it does the work, and this only asks for it. */
async function openBesideServer({ config, clock, signal }: Call): Promise<Library> {
  const db = await connect({ url: config.databaseUrl, dataFolder: config.dataFolder })
  const deps = { db, clock, queue: createQueue(db, clock, noopLog) }
  const untilEnded = async (importId: number, running: readonly ImportRow['state'][]) => {
    while (running.includes((await findImport(db.query, importId))?.state ?? 'failed')) {
      await pause(POLL_EVERY_MS)
      if (signal.aborted) await stopImport(deps, importId)
    }
  }
  return {
    db,
    async start(personId, kind, source) {
      const row = { kind, source: JSON.stringify(source), person_id: personId }
      const known = await findUnfinishedImport(db.query, row)
      if (known !== undefined) await resumeImport(deps, known)
      const importId = known ?? (await requestImport(deps, { kind, source, personId }))
      return { importId, run: untilEnded(importId, ['waiting', 'running']) }
    },
    async undo(importId) {
      return (await requestUndo(deps, importId)) ? { run: untilEnded(importId, ['undoing']) } : undefined
    },
    close: db.close,
  }
}

const POLL_EVERY_MS = 500

/** Shows the progress that is written to the row, until the work has ended. */
async function follow({ out, signal }: Call, db: Database, importId: number, run: Promise<void>): Promise<ImportRow> {
  let progress: Progress | undefined
  let shown = { files_done: 0, bytes_done: 0 }
  let ended = false
  const end = run.finally(() => {
    ended = true
  })
  end.catch(() => {})
  const show = async () => {
    const row = await findImport(db.query, importId)
    if (!row) throw new CommandError(`The import ${importId} is gone.`)
    if (row.files > 0 && row.state !== 'undoing') {
      progress ??= showProgress(out, 'Importing', { files: row.files, bytes: row.bytes })
      progress.add(row.files_done - shown.files_done, row.bytes_done - shown.bytes_done)
      shown = row
    }
    return row
  }
  try {
    while (!ended) {
      await show()
      await Promise.race([pause(POLL_EVERY_MS), end])
    }
    await end
    signal.throwIfAborted()
    return await show()
  } finally {
    progress?.end()
  }
}

/** What the summary says of each kind of problem. */
const reasons: Record<ImportProblem['reason'], string> = {
  unreadable: 'could not be read',
  'not-a-photo-or-video': 'left out: neither photo nor video',
  'sound-only': 'left out: sound without a picture',
  'unsafe-name': 'left out: their names lead out of the archive, or no system could have them',
  link: 'left out: links, which are not followed',
  'duplicate-name': 'left out: another one of the same name and place',
  encrypted: 'left out: encrypted',
  'damaged-archive': 'left out: damaged in the archive',
  trashed: 'left out: in the trash there',
  'failed-at-source': 'left out: failed there already',
  'other-product': 'left out: folders of other products',
  'deleted-since': 'left out: deleted in the library since (--again takes them in)',
  'no-sidecar': 'imported without metadata: nothing says which is theirs',
  'ambiguous-sidecar': 'imported without metadata: it could be that of several files',
  'sidecar-without-file': 'metadata without a file',
  'broken-sidecar': 'broken metadata files',
  'album-file-not-found': 'files of albums that are not in this export',
  'album-file-ambiguous': 'files of albums that could be several',
  'album-deleted-since': 'albums left out: deleted in the library since',
  incomplete: 'added, but the end is missing: look for a whole copy before you delete anything',
}

function inSummary(
  report: ImportReport,
  importId: number,
  { name, listAll }: { name: string; listAll: boolean },
): string {
  const lines = [
    `${inCount(report.added, 'file')} added (${inBytes(report.added_bytes)})`,
    `${inNumber(report.already_here)} already in the library, ${inNumber(report.completed)} of them with something new`,
    ...(report.copies > 0 ? [`${inNumber(report.copies)} more copies of them, in albums`] : []),
    `${inCount(report.albums, 'album')}`,
  ]
  let text = lines.map(line => `${line}\n`).join('')
  for (const [reason, problems] of Map.groupBy(report.problems, problem => problem.reason)) {
    const paths = problems.map(({ path, detail }) => (detail === undefined ? path : `${path} (${detail})`))
    text += `${inNumber(paths.length)} ${reasons[reason]}\n`
    text += inList(paths, listAll ? Number.POSITIVE_INFINITY : undefined)
  }
  return `${text}They belong to ${printableLine(name)}. To take all of it back: npm run import -- undo ${importId}\n`
}
