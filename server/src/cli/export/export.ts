import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { migrations, refuseUnknownMigrations } from '../../db/migrate.ts'
import { openSnapshot, type Snapshot } from '../../db/snapshot.sql.ts'
import { CHECKSUMS, contentsOf, type ExportedEntry, MARKER } from '../../export/contents.ts'
import { idsToExport, measureExport } from '../../export/library.sql.ts'
import { libraryId } from '../../export/library-id.sql.ts'
import { features } from '../../features.ts'
import { toIso } from '../../kit/clock.ts'
import { pathBelow, type RootFolder, removeFolder, rootFolder } from '../../kit/safe-path.ts'
import { createHasher, hashFile } from '../../processing/hash.ts'
import type { Storage } from '../../storage/storage.ts'
import { migrationsOf } from '../backup/database-dump.ts'
import { type Transferred, transfer, transferAsItIs } from '../backup/transfer.ts'
import { openBareStorage, withOriginalsOf } from '../bare-storage.ts'
import { type Call, CommandError, isFullDisk } from '../command.ts'
import { inParallel } from '../in-parallel.ts'
import { outsideLibrary } from '../paths.ts'
import { type Progress, showProgress } from '../progress.ts'
import { conditionOf, type ExportFilter } from './filter.ts'

export interface ExportReport {
  files: number
  bytes: number
  problems: { path: string; problem: Exclude<Transferred, 'whole'> }[]
}

export type ExportContext = Pick<Call, 'config' | 'clock' | 'out' | 'signal'>

interface ExportDeps {
  library: Storage
  target: Storage
  progress: Progress
  signal: AbortSignal
  report: ExportReport
  /** For the list of checksums. */
  written(path: string, hash: string): void
}

/** With small files, most of the time is spent waiting for the disk. */
const AT_ONCE = 4

/** Copies a library that may be in use, in the state that it had at the beginning. */
export async function exportLibrary(
  context: ExportContext,
  wanted: string,
  filter: ExportFilter = {},
): Promise<ExportReport> {
  const { config, clock, out, signal } = context
  const folder = await outsideLibrary(wanted, config, 'export')
  const snapshot = await openSnapshot(config)
  try {
    if ((await snapshot.tables()).length === 0) {
      throw new CommandError(`There is no library in ${config.dataFolder} yet, so there is nothing to export.`)
    }
    await refuseOtherSchema(snapshot)
    const ids = await idsToExport(snapshot, await conditionOf(snapshot, filter))
    const isWhole = Object.keys(filter).length === 0
    const only = isWhole ? {} : { only: Object.fromEntries(Object.entries(filter).sort()) }
    const marker = { format: 1 as const, library: await libraryId(snapshot), ...only }
    const root = await openForExport(folder, marker)
    const target = await openBareStorage(root)
    await target.removeUnfinished(new Date())
    const report: ExportReport = { files: 0, bytes: 0, problems: [] }
    const progress = showProgress(out, 'Exporting', await measureExport(snapshot, ids))
    const lines = createWriteStream(pathBelow(root, `${CHECKSUMS}.new`), { mode: 0o600, flush: true })
    try {
      const written = (path: string, hash: string) => void lines.write(`${hash}  ${path}\n`)
      await withOriginalsOf(config, async library => {
        const deps = { library, target, progress, signal, report, written }
        const exported = features.flatMap(feature => feature.exported ?? [])
        const files = { snapshot, features: exported, ids, isWhole, title: config.title }
        await inParallel(contentsOf(files), AT_ONCE, async group => {
          signal.throwIfAborted()
          for (const entry of group) await exportEntry(deps, entry)
        })
      })
    } finally {
      lines.end()
      await finished(lines)
    }
    progress.end()
    await rename(pathBelow(root, `${CHECKSUMS}.new`), pathBelow(root, CHECKSUMS))
    await writeMarker(root, { ...marker, finishedAt: toIso(clock()) })
    await removeFolder(pathBelow(root, '.tmp'))
    return report
  } catch (error) {
    if (!isFullDisk(error)) throw error
    const sentence = `There is no room left in ${folder}. Make some, and run the same command again to go on.`
    throw new CommandError(sentence, { cause: error })
  } finally {
    await snapshot.close()
  }
}

/** The queries are for the schema of this version, and an export never changes the database. */
async function refuseOtherSchema(snapshot: Snapshot): Promise<void> {
  const done = await migrationsOf(snapshot)
  refuseUnknownMigrations(done, 'database')
  if (Object.keys(migrations).every(name => done.includes(name))) return
  throw new CommandError('The database is of an older Heirloom. Start this one once (npm start), and export then.')
}

/** What an interrupted export has already copied is kept. */
async function exportEntry(deps: ExportDeps, { path, source }: ExportedEntry): Promise<void> {
  const { library, target, progress, signal, report, written } = deps
  if ('text' in source) {
    await target.remove([path])
    await target.put(path, Readable.from([source.text]))
    const hasher = createHasher()
    hasher.update(source.text)
    written(path, hasher.digest())
    return
  }
  const { key, size, hash } = source
  const hashOfCopy = (copied = path) => target.withLocalCopy(copied, copy => hashFile(copy, { signal }))
  const present = await target.stat(path)
  let copied = present?.size === size ? await hashOfCopy() : undefined
  if (copied === undefined || (hash !== null && copied !== hash)) {
    if (present) await target.remove([path])
    const outcome = await transfer(library, target, { key, size, hash }, signal, path)
    copied = outcome === 'whole' ? (hash ?? (await hashOfCopy())) : undefined
    if (outcome !== 'whole') {
      report.problems.push({ path, problem: outcome })
      const damaged = `damaged/${path}`
      if (await transferAsItIs(library, target, key, signal, damaged)) written(damaged, await hashOfCopy(damaged))
    }
  }
  if (copied !== undefined) written(path, copied)
  report.files += 1
  report.bytes += size
  progress.add(1, size)
}

/** `finishedAt` is null until the export is complete; `only` says what was chosen of the library. */
const Marker = z.object({
  format: z.literal(1),
  library: z.string(),
  only: z.record(z.string(), z.string()).optional(),
  finishedAt: z.iso.datetime().nullable(),
})
type Marker = z.infer<typeof Marker>

/** An empty or missing folder, or that of an interrupted export of the same library. */
async function openForExport(folder: string, wanted: Omit<Marker, 'finishedAt'>): Promise<RootFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const root = rootFolder(folder)
  const marker = await readMarker(root)
  if (!marker) {
    if ((await readdir(root)).length > 0)
      throw new CommandError(`${folder} holds other things. Please give an empty folder, or one to be made.`)
    await writeMarker(root, { ...wanted, finishedAt: null })
    return root
  }
  if (marker.library !== wanted.library) throw new CommandError(`${folder} is the export of another library.`)
  if (marker.finishedAt !== null) {
    throw new CommandError(
      `${folder} is a complete export of ${marker.finishedAt.slice(0, 10)}. Please give an empty folder.`,
    )
  }
  if (JSON.stringify(marker.only) !== JSON.stringify(wanted.only)) {
    throw new CommandError(
      `${folder} is an interrupted export of other files. Give the same options to go on, or an empty folder.`,
    )
  }
  return root
}

async function readMarker(root: RootFolder): Promise<Marker | undefined> {
  if (!(await readdir(root)).includes(MARKER)) return undefined
  return Marker.parse(JSON.parse(await readFile(pathBelow(root, MARKER), 'utf8')))
}

async function writeMarker(root: RootFolder, marker: Marker): Promise<void> {
  await writeFile(pathBelow(root, MARKER), `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true })
}

export async function isCompleteExport(folder: string): Promise<boolean> {
  const marker = await readMarker(rootFolder(folder)).catch(() => undefined)
  return marker?.finishedAt != null
}
