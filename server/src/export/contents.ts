import { parseEdtf, UNDATED_LIMIT } from '#contract/edtf.ts'
import type { Snapshot } from '../db/snapshot.sql.ts'
import type { ExportedOfFile } from '../feature.ts'
import { toIso } from '../kit/clock.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { createUniqueNames } from '../media/public.ts'
import { downloadName } from '../storage/download-name.ts'
import {
  albumsToExport,
  type ExportedAlbum,
  type ExportedFile,
  type ExportedPart,
  filesToExport,
  folderPaths,
} from './library.sql.ts'
import { itemOf, libraryScript, pageFiles, yearScript } from './page.ts'
import { authoredTextJson, jsonOf, xmpOf } from './sidecars.ts'

/** A file of an export: a copy of a stored object, or a text. */
export interface ExportedEntry {
  path: string
  source: (ExportedPart & { hash: string | null }) | { text: Buffer }
  /** Modification time after unpacking: a wall clock stored as if it were UTC. */
  wallClock: number
}

export interface ExportedFiles {
  snapshot: Snapshot
  features: readonly ExportedOfFile[]
  ids: readonly number[]
  /** Also the albums without any of these files, and those that have a search. */
  isWhole: boolean
  /** Of the library, or of what was chosen of it. */
  title: string
}

/**
 * All of an export, whether it becomes a folder or ZIPs, in groups that belong together. The library is read twice, so that what is
 * about all files comes first and memory does not grow with the library. Two runs over the same state of the library give the same.
 */
export async function* contentsOf(files: ExportedFiles): AsyncGenerator<ExportedEntry[]> {
  const { snapshot, ids, isWhole } = files
  const folders = await folderPaths(snapshot)
  const exported = new Set(ids)
  const albums = (await albumsToExport(snapshot, folders))
    .map(album => ({ ...album, fileIds: album.fileIds.filter(id => exported.has(id)) }))
    .filter(({ fileIds }) => isWhole || fileIds.length > 0)
  const inAlbums = new Set(albums.flatMap(({ fileIds, coverId }) => [...fileIds, coverId ?? 0]))
  const paths = new Map<number, FilePaths>()
  const years: { year: string; files: number }[] = []
  let items: object[] = []
  yield [textEntry({ path: 'README.txt', text: EXPLANATION }), ...pageFiles().map(textEntry)]
  for await (const { file, paths: own } of filesWithPaths(files, folders)) {
    if (inAlbums.has(file.id)) paths.set(file.id, own)
    const [year = ''] = own.path.split('/')
    const last = years.at(-1)
    if (year !== last?.year) {
      if (last) yield [textEntry(yearScript(last.year, items))]
      items = []
      years.push({ year, files: 0 })
    }
    items.push(itemOf(file, own))
    const current = years.at(-1)
    if (current) current.files = items.length
  }
  const last = years.at(-1)
  if (last) yield [textEntry(yearScript(last.year, items))]
  items = []
  const written = albumsWithPaths(albums, paths)
  const shown = written.map((album, i) => {
    const { coverId, fileIds } = albums[i] ?? {}
    return { ...album, preview: paths.get(coverId ?? fileIds?.[0] ?? 0)?.preview }
  })
  yield [
    textEntry({ path: 'albums.json', text: `${JSON.stringify(written, null, 2)}\n` }),
    // The newest first, as in Heirloom.
    textEntry(libraryScript({ title: files.title, years: years.toReversed(), albums: shown })),
  ]
  for await (const { file, paths } of filesWithPaths(files, folders)) yield entriesOf(file, paths)
}

export function textEntry({ path, text }: { path: string; text: string }) {
  return { path, source: { text: Buffer.from(text) }, wallClock: 0 }
}

function entriesOf(file: ExportedFile, { path, clip, preview }: FilePaths): ExportedEntry[] {
  const { dateSort: wallClock } = file
  const copy = (part: ExportedPart | undefined, to = '', hash: string | null = null) =>
    part ? [{ path: to, source: { ...part, hash }, wallClock }] : []
  return [
    ...copy(file.original, path, file.hash),
    ...copy(file.clip, clip),
    ...copy(file.sidecar, `sidecars/${path}.xmp`),
    ...copy(file.preview, preview),
    { path: `${path}.xmp`, source: { text: xmpOf(file) }, wallClock },
    { path: `${path}.JSON`, source: { text: jsonOf(file) }, wallClock },
  ]
}

interface FilePaths {
  path: string
  clip: string | undefined
  preview: string | undefined
}

/** Oldest first. Paths are without conflicts on any file system. */
async function* filesWithPaths(
  { snapshot, features, ids }: ExportedFiles,
  folders: ReadonlyMap<number, string>,
): AsyncGenerator<{ file: ExportedFile; paths: FilePaths }> {
  // Of the folders of one year, so that memory does not grow with the library.
  const names = new Map<string, ReturnType<typeof createUniqueNames>>()
  let year = ''
  for (const some of inChunks(ids)) {
    for (const file of await filesToExport(snapshot, some, folders, features)) {
      const folder = folderOf(file)
      if (!folder.startsWith(year)) names.clear()
      year = folder.slice(0, 4)
      const nameFor = names.get(folder) ?? createUniqueNames()
      names.set(folder, nameFor)
      const wanted = notHidden(downloadName(file.name, file.original.key).normalize('NFC'))
      const { clip, preview } = file
      const path = `${folder}/${clip ? nameFor(wanted, extensionOf(clip)) : nameFor(wanted)}`
      const paths = {
        path,
        clip: clip && path.replace(/(\.[^./]*)?$/, extensionOf(clip)),
        preview: preview && `${PREVIEWS}/${path}${extensionOf(preview)}`,
      }
      yield { file, paths }
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

function albumsWithPaths(albums: readonly ExportedAlbum[], paths: ReadonlyMap<number, FilePaths>) {
  return albums.map(({ title, description, order, search, coverId, createdBy, createdAt, fileIds, comments }) => ({
    title,
    description,
    createdBy,
    createdAt: toIso(createdAt),
    order,
    ...(search === null ? {} : { search }),
    cover: (coverId !== null && paths.get(coverId)?.path) || null,
    files: fileIds.flatMap(id => paths.get(id)?.path ?? []),
    comments: comments.map(authoredTextJson),
  }))
}

export const MARKER = 'heirloom-export.json'
export const CHECKSUMS = 'checksums.b3'
/** Pictures that were made of the files beside them. */
export const PREVIEWS = 'previews'

const EXPLANATION = `These are the photos and videos of a Heirloom library, by year and month.

index.html        shows all of it in a browser, also without Heirloom and without the internet; its data is in “data”
photo.jpg         as it was uploaded, byte for byte; a Live Photo has its clip beside it (photo.mov)
photo.jpg.xmp     date, place, caption, tags, hearts and notes, for other photo programs
photo.jpg.JSON    the same and more: albums and who added it to them, folder, who uploaded it, how it was turned
albums.json       the albums with their photos in order, and their comments; an album that fills itself has its search
                  instead of photos
sidecars          XMP files that photos were imported with
previews          a picture of each file, which can be deleted
damaged           what could be read of files that had lost their original content
checksums.b3      BLAKE3 of every file, for "npm run export -- THIS-FOLDER --verify" or "b3sum --check checksums.b3"

Dates such as "about 1950" are in EDTF, a standard of the Library of Congress: 1950~.
A photo that somebody loves has five stars in its .xmp, and their names.
To take photos, dates, places, captions, tags and notes into another Heirloom: npm run import -- THIS-FOLDER
Albums, hearts, folders and who uploaded a photo are not read back from these files; a backup keeps them.
`
