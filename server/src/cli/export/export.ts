import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { parseEdtf, UNDATED_LIMIT } from '#contract/edtf.ts'
import { migrations, refuseUnknownMigrations } from '../../db/migrate.ts'
import { toIso } from '../../kit/clock.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { pathBelow, type RootFolder, removeFolder, rootFolder } from '../../kit/safe-path.ts'
import { createUniqueNames } from '../../media/zip/unique-names.ts'
import { hashFile } from '../../processing/hash.ts'
import { downloadName } from '../../storage/download-name.ts'
import type { Storage } from '../../storage/storage.ts'
import { migrationsOf } from '../backup/database-dump.ts'
import { libraryId, openSnapshot, type Snapshot } from '../backup/snapshot.sql.ts'
import { type Transferred, transfer, transferAsItIs } from '../backup/transfer.ts'
import { openBareStorage, withOriginalsOf } from '../bare-storage.ts'
import { type Call, CommandError, isFullDisk } from '../command.ts'
import { inParallel } from '../in-parallel.ts'
import { outsideLibrary } from '../paths.ts'
import { type Progress, showProgress } from '../progress.ts'
import {
  albumsToExport,
  type ExportedAlbum,
  type ExportedFile,
  type ExportedPart,
  filesToExport,
  folderPaths,
  idsToExport,
  measureExport,
} from './export.sql.ts'
import { authoredTextJson, jsonOf, xmpOf } from './sidecars.ts'

export interface ExportReport {
  files: number
  bytes: number
  problems: { path: string; problem: Exclude<Transferred, 'whole'> }[]
}

type CommandContext = Pick<Call, 'config' | 'clock' | 'out' | 'signal'>

interface ExportDeps {
  library: Storage
  target: Storage
  progress: Progress
  signal: AbortSignal
  report: ExportReport
}

/** With small files, most of the time is spent waiting for the disk. */
const AT_ONCE = 4

/** Copies a library that may be in use, in the state that it had at the beginning. */
export async function exportLibrary(context: CommandContext, wanted: string): Promise<ExportReport> {
  const { config, clock, out, signal } = context
  const folder = await outsideLibrary(wanted, config, 'export')
  const snapshot = await openSnapshot(config)
  try {
    if ((await snapshot.tables()).length === 0) {
      throw new CommandError(`There is no library in ${config.dataFolder} yet, so there is nothing to export.`)
    }
    await refuseOtherSchema(snapshot)
    const root = await openForExport(folder, await libraryId(snapshot))
    const target = await openBareStorage(root)
    await target.removeUnfinished(new Date())
    const report: ExportReport = { files: 0, bytes: 0, problems: [] }
    const progress = showProgress(out, 'Exporting', await measureExport(snapshot))
    const folders = await folderPaths(snapshot)
    const albums = await albumsToExport(snapshot, folders)
    const paths = new Map(albums.flatMap(({ fileIds, coverId }) => [...fileIds, coverId ?? 0]).map(id => [id, '']))
    await withOriginalsOf(config, async library => {
      const deps = { library, target, progress, signal, report }
      await inParallel(filesWithPaths(snapshot, folders), AT_ONCE, async ({ file, path }) => {
        signal.throwIfAborted()
        if (paths.has(file.id)) paths.set(file.id, path)
        await exportFile(deps, file, path)
      })
    })
    progress.end()
    const written = `${JSON.stringify(albumsWithPaths(albums, paths), null, 2)}\n`
    await replace(target, 'albums.json', Buffer.from(written))
    await writeMarker(root, { format: 1, library: await libraryId(snapshot), finishedAt: toIso(clock()) })
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

/** Oldest first. The path is without conflicts on any file system. */
async function* filesWithPaths(
  snapshot: Snapshot,
  folders: ReadonlyMap<number, string>,
): AsyncGenerator<{ file: ExportedFile; path: string }> {
  // Of the folders of one year, so that memory does not grow with the library.
  const names = new Map<string, ReturnType<typeof createUniqueNames>>()
  let year = ''
  for (const ids of inChunks(await idsToExport(snapshot))) {
    for (const file of await filesToExport(snapshot, ids, folders)) {
      const folder = folderOf(file)
      if (!folder.startsWith(year)) names.clear()
      year = folder.slice(0, 4)
      const nameFor = names.get(folder) ?? createUniqueNames()
      names.set(folder, nameFor)
      const wanted = notHidden(downloadName(file.name, file.original.key).normalize('NFC'))
      yield { file, path: `${folder}/${file.clip ? nameFor(wanted, extensionOf(file.clip)) : nameFor(wanted)}` }
    }
  }
}

/** `.jpg` keeps its extension, by which other programs know it for a photo. */
function notHidden(name: string): string {
  return name.replace(/^\.+(?=[^.]+$)/, '_.').replace(/^\.+/, '_')
}

/** 2023/2023-03, the year alone if the month is not known, or `undated`. */
function folderOf({ edtf, dateSort }: ExportedFile): string {
  if (dateSort < UNDATED_LIMIT) return 'undated'
  const [year, month] = new Date(dateSort).toISOString().split('-')
  const precision = edtf === null ? undefined : parseEdtf(edtf)?.precision
  const hasMonth = precision === 'time' || precision === 'day' || precision === 'month'
  return hasMonth ? `${year}/${year}-${month}` : `${year}`
}

function extensionOf({ key }: ExportedPart): string {
  return key.slice(key.lastIndexOf('.'))
}

async function exportFile(deps: ExportDeps, file: ExportedFile, path: string): Promise<void> {
  const { clip, sidecar } = file
  await exportPart(deps, file.original, path, file.hash)
  if (clip) await exportPart(deps, clip, path.replace(/(\.[^./]*)?$/, extensionOf(clip)))
  if (sidecar) await exportPart(deps, sidecar, `sidecars/${path}.xmp`)
  await replace(deps.target, `${path}.xmp`, xmpOf(file))
  await replace(deps.target, `${path}.JSON`, jsonOf(file))
}

/** What an interrupted export has already copied is kept. */
async function exportPart(
  { library, target, progress, signal, report }: ExportDeps,
  { key, size }: ExportedPart,
  path: string,
  hash: string | null = null,
): Promise<void> {
  const present = await target.stat(path)
  const isWhole =
    present?.size === size &&
    (hash === null || (await target.withLocalCopy(path, copy => hashFile(copy, { signal }))) === hash)
  if (!isWhole) {
    if (present) await target.remove([path])
    const outcome = await transfer(library, target, { key, size, hash }, signal, path)
    if (outcome !== 'whole') {
      report.problems.push({ path, problem: outcome })
      await transferAsItIs(library, target, key, signal, `damaged/${path}`)
    }
  }
  report.files += 1
  report.bytes += size
  progress.add(1, size)
}

async function replace(target: Storage, path: string, bytes: Buffer): Promise<void> {
  await target.remove([path])
  await target.put(path, Readable.from([bytes]))
}

function albumsWithPaths(albums: readonly ExportedAlbum[], paths: ReadonlyMap<number, string>) {
  return albums.map(({ title, description, order, search, coverId, createdBy, createdAt, fileIds, comments }) => ({
    title,
    description,
    createdBy,
    createdAt: toIso(createdAt),
    order,
    ...(search === null ? {} : { search }),
    cover: (coverId !== null && paths.get(coverId)) || null,
    files: fileIds.flatMap(id => paths.get(id) || []),
    comments: comments.map(authoredTextJson),
  }))
}

const MARKER = 'heirloom-export.json'
/** `finishedAt` is null until the export is complete. */
const Marker = z.object({ format: z.literal(1), library: z.string(), finishedAt: z.iso.datetime().nullable() })

/** An empty or missing folder, or that of an interrupted export of the same library. */
async function openForExport(folder: string, library: string): Promise<RootFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const root = rootFolder(folder)
  const found = await readdir(root)
  if (!found.includes(MARKER)) {
    if (found.length > 0)
      throw new CommandError(`${folder} holds other things. Please give an empty folder, or one to be made.`)
    await writeFile(pathBelow(root, 'README.txt'), EXPLANATION, { mode: 0o600 })
    await writeMarker(root, { format: 1, library, finishedAt: null })
    return root
  }
  const marker = Marker.parse(JSON.parse(await readFile(pathBelow(root, MARKER), 'utf8')))
  if (marker.library !== library) throw new CommandError(`${folder} is the export of another library.`)
  if (marker.finishedAt !== null) {
    throw new CommandError(
      `${folder} is a complete export of ${marker.finishedAt.slice(0, 10)}. Please give an empty folder.`,
    )
  }
  return root
}

async function writeMarker(root: RootFolder, marker: z.infer<typeof Marker>): Promise<void> {
  await writeFile(pathBelow(root, MARKER), `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true })
}

const EXPLANATION = `These are the photos and videos of a Heirloom library, by year and month.

photo.jpg         as it was uploaded, byte for byte; a Live Photo has its clip beside it (photo.mov)
photo.jpg.xmp     date, place, caption, tags and notes, for other photo programs
photo.jpg.JSON    the same and more: albums and who added it to them, hearts, who uploaded it, how it was turned
albums.json       the albums with their photos in order, and their comments; an album that fills itself has its search
                  instead of photos
sidecars          XMP files that photos were imported with
damaged           what could be read of files that had lost their original content

Dates such as "about 1950" are in EDTF, a standard of the Library of Congress: 1950~.
To take photos, dates, places, captions, tags and notes into another Heirloom: npm run import -- THIS-FOLDER
Albums, hearts, folders and who uploaded a photo are not read back from these files; a backup keeps them.
`
