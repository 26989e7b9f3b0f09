import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { WatchedReport } from '#contract/source-folders.ts'
import type { StoreFromDiskDeps } from '../cli/import/store-from-disk.ts'
import { type FoundEntry, walk } from '../cli/import/walk.ts'
import { openFolderFinder } from '../folders/public.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { toIso } from '../kit/clock.ts'
import { announceFiles } from '../media/public.ts'
import { type Indexing, indexFound, nameOf } from './index-file.ts'
import { ownerOfFolders } from './owner.sql.ts'
import { openRoot } from './paths.ts'
import { findReport, upsertReport } from './reports.sql.ts'
import {
  activeMedia,
  countWatched,
  filesAfter,
  knownFiles,
  placesOfMedia,
  removeWatched,
  setMissing,
  shownInPlace,
  type WatchedRow,
} from './watched.sql.ts'

export interface ScanDeps extends Omit<StoreFromDiskDeps, 'uploaderId' | 'signal'> {}

interface ScanRequest {
  /** The folder whose files were removed on purpose. */
  acceptMissing: string | null
}

const EVERY_MS = 5 * 60_000
const scanRegularly = defineJob<null>('source-folders.scan', { lane: 'folders', everyMs: EVERY_MS })
const scanNow = defineJob<ScanRequest>('source-folders.scan-now', {
  lane: 'folders',
  priority: 2,
  attempts: 1,
  keepsFailed: false,
})

export function handleScans(queue: Queue, deps: ScanDeps): void {
  const { libraryFolders } = deps.config
  if (libraryFolders.length === 0) return
  let last: Promise<void> = Promise.resolve()
  // One after the other: two at once would read each new file twice.
  const scanAll = (signal: AbortSignal, acceptMissing: string | null) => {
    last = last
      .catch(() => undefined)
      .then(async () => {
        for (const root of libraryFolders) await scanRoot(deps, root, { signal, acceptMissing: root === acceptMissing })
      })
    return last
  }
  queue.handle(scanRegularly, { run: (_payload, { signal }) => scanAll(signal, null) })
  queue.handle(scanNow, { run: ({ acceptMissing }, { signal }) => scanAll(signal, acceptMissing) })
}

export async function enqueueScan({ db, queue }: Pick<ScanDeps, 'db' | 'queue'>, request: ScanRequest): Promise<void> {
  const uniqueKey = `${scanNow.name}:${request.acceptMissing ?? ''}`
  await db.transaction(tx => queue.enqueue(tx, scanNow, request, { uniqueKey }))
}

/** What is remembered between two scans: what admins see, and the disk it was on. */
const Remembered = WatchedReport.extend({ device: WatchedReport.shape.problem })

const nothingYet = {
  ...({ state: 'new', problem: null, files: 0, gone: 0, unreadable: 0, looked_at: null, finished_at: null } as const),
  device: null,
}

export async function readWatchedReport(handle: Parameters<typeof findReport>[0], root: string) {
  const row = await findReport(handle, root)
  return row ? Remembered.parse(JSON.parse(row.report)) : nothingYet
}

/** Looks through a watched folder: adds what is new, reads what has changed, and marks what is gone as missing. */
export async function scanRoot(
  deps: ScanDeps,
  root: string,
  options: { signal: AbortSignal; acceptMissing: boolean },
): Promise<void> {
  const { db, clock } = deps
  const before = await readWatchedReport(db.query, root)
  const report = async (change: Partial<typeof before>) => {
    const text = JSON.stringify({ ...before, problem: null, gone: 0, looked_at: null, ...change })
    await upsertReport(db.query, { folder: root, server: '', report: text, reported_at: clock() })
  }
  try {
    const folder = await openRoot(root)
    if (!folder) return await report({ state: 'not_mounted' })
    const uploaderId = await ownerOfFolders(db.query, deps.config.foldersOwner)
    if (uploaderId === undefined) return await report({ state: 'no_owner' })
    const folderFor = await openFolderFinder(deps, uploaderId)
    const indexing: Indexing = { ...deps, uploaderId, signal: options.signal, root, folder, folderFor }
    const device = String((await stat(folder)).dev)
    const found = await look(indexing, looked_at => report({ looked_at }))
    // A disk that is not mounted leaves an empty folder behind. New files of ours would be in it, so nothing was changed.
    if (found.entries === 0 && (await countWatched(db.query, root)) > 0) return await report({ state: 'not_mounted' })
    const isOtherDisk = before.device !== null && before.device !== device
    const vanished = await findVanished(indexing, found)
    const files = await countWatched(db.query, root)
    const tooMany = vanished.lost > Math.max(FEW, files * MOST_AT_ONCE) || (isOtherDisk && vanished.lost > 0)
    const result = { files, unreadable: found.unreadable.length, finished_at: toIso(clock()) }
    if (tooMany && !options.acceptMissing) {
      return await report({ ...result, state: 'many_missing', gone: vanished.lost, device: before.device })
    }
    if (vanished.rows > 0) await forEachVanished(indexing, found, rows => applyVanished(indexing, found, rows))
    await report({ ...result, state: 'ready', device, files: await countWatched(db.query, root) })
  } catch (error) {
    options.signal.throwIfAborted()
    await report({ state: 'failing', problem: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

/** That many may be gone without a question, also of a small folder. */
const FEW = 10
const MOST_AT_ONCE = 0.2

interface Found {
  /** Photos, videos, other files and folders that could not be read. */
  entries: number
  seen: IdSet
  /** Names of files and folders that could not be read. */
  unreadable: string[]
}

const AT_ONCE = 200
const REPORT_EVERY_MS = 2_000
/** A disk that is asked for everything at once answers nobody else. */
const PAUSE_MS = 5

async function look(indexing: Indexing, progress: (files: number) => Promise<void>): Promise<Found> {
  const { db, root, folder, signal, clock, log } = indexing
  const found: Found = { entries: 0, seen: new IdSet(), unreadable: [] }
  let reported = clock()
  let batch: FoundEntry[] = []

  async function indexBatch(): Promise<void> {
    const files = batch.flatMap(entry => ('file' in entry ? entry.file : []))
    const names = files.flatMap(({ path, clip }) =>
      [{ path }, ...(clip ? [clip] : [])].map(one => nameOf({ folder }, one)),
    )
    const known = await knownFiles(db.query, root, names)
    for (const entry of batch) {
      if ('skipped' in entry) {
        if (entry.skipped === 'unreadable') found.unreadable.push(nameOf({ folder }, entry))
        continue
      }
      try {
        for (const id of await indexFound(indexing, known, entry.file)) found.seen.add(id)
      } catch (error) {
        signal.throwIfAborted()
        log.error({ err: error }, 'a file of a watched folder could not be read')
        const paths = [entry.file, ...(entry.file.clip ? [entry.file.clip] : [])]
        found.unreadable.push(...paths.map(one => nameOf({ folder }, one)))
      }
    }
    batch = []
    if (clock() - reported < REPORT_EVERY_MS) return
    reported = clock()
    await progress(found.entries)
    await wait(PAUSE_MS)
  }

  for await (const entry of walk(folder, { leaveOut: [], signal })) {
    if ('skipped' in entry && entry.skipped === 'hidden') continue
    found.entries++
    batch.push(entry)
    if (batch.length === AT_ONCE) await indexBatch()
  }
  await indexBatch()
  return found
}

/** Files that were listed and are not there now, except where it could not be read. */
async function forEachVanished(
  { db, root }: Indexing,
  { seen, unreadable }: Found,
  work: (rows: WatchedRow[]) => Promise<void>,
): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await filesAfter(db.query, root, last, AT_ONCE)
    if (rows.length === 0) return
    last = rows.at(-1)?.id ?? 0
    const isUnread = (path: string) =>
      unreadable.some(name => name === '' || path === name || path.startsWith(`${name}/`))
    const vanished = rows.filter(({ id, path }) => !seen.has(id) && !isUnread(path))
    if (vanished.length > 0) await work(vanished)
  }
}

/** How many are gone, and how many of them are nowhere else: not those that were moved. */
async function findVanished(indexing: Indexing, found: Found): Promise<{ rows: number; lost: number }> {
  const count = { rows: 0, lost: 0 }
  await forEachVanished(indexing, found, async rows => {
    count.rows += rows.length
    count.lost += (await lostOf(indexing, found, rows)).length
  })
  return count
}

async function lostOf({ db, root }: Indexing, { seen }: Found, rows: readonly WatchedRow[]): Promise<number[]> {
  const originals = rows.filter(({ part }) => part === 'original').flatMap(({ media_id }) => media_id ?? [])
  const places = await placesOfMedia(db.query, originals)
  const elsewhere = new Set(
    places.filter(place => place.root !== root || seen.has(place.id)).map(place => place.media_id),
  )
  const shown = await shownInPlace(db.query, originals)
  return [...new Set(originals)].filter(id => shown.has(id) && !elsewhere.has(id))
}

async function applyVanished(indexing: Indexing, found: Found, rows: readonly WatchedRow[]): Promise<void> {
  const { db, clock } = indexing
  const lost = await lostOf(indexing, found, rows)
  const active = await activeMedia(
    db.query,
    rows.flatMap(({ media_id }) => media_id ?? []),
  )
  // What was deleted in the library is remembered, so that it stays hidden wherever it turns up; and which clip belongs to a
  // missing photo, because both may come back.
  const forgotten = rows.filter(({ hash, media_id, part }) => {
    if (media_id === null) return hash === null
    return active.has(media_id) && !(part === 'motion' && (lost.includes(media_id) || active.get(media_id) !== null))
  })
  await db.transaction(async tx => {
    await removeWatched(
      tx,
      forgotten.map(({ id }) => id),
    )
    if (lost.length === 0) return
    await setMissing(tx, lost, clock())
    await announceFiles(db, tx, lost)
  })
}

/** A set of row ids, one bit each: a hundred thousand files take 12 kB. */
class IdSet {
  #bits = new Uint8Array(1024)

  add(id: number): void {
    const at = id >> 3
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2))
      larger.set(this.#bits)
      this.#bits = larger
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (id & 7))
  }

  has(id: number): boolean {
    return ((this.#bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0
  }
}
