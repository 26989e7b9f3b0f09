import type { ImportProblem } from '#contract/imports.ts'
import { openTree } from '../archives/source-tree.ts'
import { SourceError, type SourceTree, type TreeFile, type TreeOptions } from '../archives/tree-part.ts'
import { type ImportAlbum, type ImportFacts, type ImportItem, type ImportPlan, noFacts } from '../plan.ts'
import { type Match, matchSidecars } from './match-sidecars.ts'
import { parseTakeoutJson, type Sidecar, type TakeoutJson } from './parse-json.ts'

/** Reads a Google Takeout: unpacked folders, ZIP and .tgz files, all of them parts of one export. */
export async function readTakeout(
  paths: readonly string[],
  options: Omit<TreeOptions, 'isParsed' | 'parse'>,
): Promise<ImportPlan> {
  const tree = await openTree(paths, {
    ...options,
    isParsed: path => /\.json$/i.test(path),
    parse: (path, bytes) => parseTakeoutJson(path.split('/').at(-1) ?? '', bytes),
  })
  try {
    return planOf(tree)
  } catch (error) {
    await tree.close()
    throw error
  }
}

interface Folder {
  /** Without what is in front of the export's own folders. */
  path: string
  media: TreeFile[]
  sidecars: { file: TreeFile; sidecar: Sidecar }[]
  album: ImportAlbum | undefined
}

interface Found {
  item: ImportItem
  sidecar: Sidecar | undefined
  folder: Folder
}

function planOf(tree: SourceTree): ImportPlan {
  const problems = [...tree.problems]
  const folders = foldersOf(tree.files, problems)
  if (folders.length === 0) {
    throw new SourceError(
      'There are no photos of a Google Takeout. Name its ZIP files, or the folder that they were unpacked into.',
    )
  }
  const found: Found[] = []
  const orphans: { folder: Folder; file: TreeFile; sidecar: Sidecar }[] = []
  for (const folder of folders) readFolder(folder, { found, orphans, problems, tree })
  joinAlbumsWithoutFiles(found, orphans, problems)
  const albums = folders.flatMap(({ album }) => album ?? [])
  const items = withoutCopies(found)
  return { items, albums, problems, sequential: tree.files.some(file => file.sequential), close: tree.close }
}

const FAILED_VIDEOS = /^failed videos$/i
const LEFT_BY_SYSTEMS = /^(\.ds_store|thumbs\.db|desktop\.ini|\._.*|archive_browser\.html)$/i

/** The folders with photos. Other products of Google have files in the same export. */
function foldersOf(files: readonly TreeFile[], problems: ImportProblem[]): Folder[] {
  const folders = new Map<string, Folder>()
  const photoRoots = new Set<string>()
  for (const file of uniquelyNamed(files, problems)) {
    if (LEFT_BY_SYSTEMS.test(file.name) || /(^|\/)__MACOSX\//.test(file.path)) continue
    const path = placeInExport(file.path)
    const folder = folders.get(path) ?? { path, media: [], sidecars: [], album: undefined }
    folders.set(path, folder)
    const json = file.parsed as TakeoutJson | undefined
    if (json?.kind === 'sidecar') {
      folder.sidecars.push({ file, sidecar: json.sidecar })
      photoRoots.add(rootOf(path))
    } else if (json?.kind === 'album') {
      if (!isYear(path)) folder.album ??= albumOf(path, json)
    } else if (json?.kind === 'broken') problems.push({ path: file.path, reason: 'broken-sidecar' })
    else if (!json && !/\.json$/i.test(file.name)) folder.media.push(file)
  }
  const all = [...folders.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  if (photoRoots.size === 0) return all.filter(folder => folder.media.length > 0)
  for (const root of new Set(all.map(({ path }) => rootOf(path)))) {
    if (!photoRoots.has(root) && root !== '') problems.push({ path: root, reason: 'other-product' })
  }
  return all.filter(folder => photoRoots.has(rootOf(folder.path)))
}

/** Parts may repeat a file. Two different ones of one name cannot be told apart by their sidecars. */
function uniquelyNamed(files: readonly TreeFile[], problems: ImportProblem[]): TreeFile[] {
  const unique: TreeFile[] = []
  for (const [path, same] of Map.groupBy(files, file => placeInExport(file.path, true))) {
    const [first, ...others] = same
    if (first) unique.push(first)
    for (const other of others) {
      const isSame = first && other.size === first.size && other.fingerprint === first.fingerprint
      if (isSame && other.fingerprint !== '') continue
      if (other.parsed) problems.push({ path: other.path, reason: 'duplicate-name' })
      // Imported without metadata: by another name in the same folder.
      else unique.push({ ...other, path: `${path} (2)`, name: other.name })
    }
  }
  return unique
}

/** `Google Photos/Trip` of `backup/Takeout/Google Photos/Trip/IMG_1.jpg`. */
function placeInExport(path: string, withName = false): string {
  const parts = path.split('/')
  const takeout = parts.indexOf('Takeout')
  return parts.slice(takeout + 1, withName ? undefined : -1).join('/')
}

function rootOf(folder: string): string {
  return folder.split('/').slice(0, -1).join('/') || folder
}

const YEAR_FOLDER =
  /^((photos from|fotos de|fotos del|fotos von|fotos aus|foto's uit|foto’s uit|photos de|photos du|foto del|foto dal|fotografie z|fotky z|zdjęcia z|foton från|bilder fra|billeder fra|kuvat vuodelta|фото за|фотографии за)\s*\d{4}|\d{4}\s*年.*)\s*$/iu

function isYear(path: string): boolean {
  return YEAR_FOLDER.test(path.split('/').at(-1) ?? '')
}

function albumOf(path: string, { album }: Extract<TakeoutJson, { kind: 'album' }>): ImportAlbum {
  return { key: path.split('/').at(-1) ?? path, ...album }
}

interface Collected {
  found: Found[]
  orphans: { folder: Folder; file: TreeFile; sidecar: Sidecar }[]
  problems: ImportProblem[]
  tree: SourceTree
}

function readFolder(folder: Folder, { found, orphans, problems, tree }: Collected): void {
  const last = folder.path.split('/').at(-1) ?? ''
  if (FAILED_VIDEOS.test(last)) {
    for (const { path } of folder.media) problems.push({ path, reason: 'failed-at-source' })
    return
  }
  const byName = new Map(folder.sidecars.map(one => [one.file.name, one]))
  const unique = folder.media.filter((file, i) => folder.media.findIndex(other => other.name === file.name) === i)
  const { matches, unused } = matchSidecars(
    unique.map(file => file.name),
    folder.sidecars.map(({ file, sidecar }) => ({ name: file.name, title: sidecar.title })),
  )
  const items = new Map<string, Found>()
  for (const file of folder.media) {
    const match: Match = unique.includes(file) ? (matches.get(file.name) ?? {}) : {}
    const sidecar = match.sidecar === undefined ? undefined : byName.get(match.sidecar)?.sidecar
    if (sidecar?.trashed) {
      problems.push({ path: file.path, reason: 'trashed' })
      continue
    }
    const item: ImportItem = {
      ...{ file, folders: [], facts: sidecar ? factsOf(sidecar) : noFacts },
      albums: folder.album ? [{ key: folder.album.key }] : [],
      ...(sidecar?.url !== undefined && match.editedFrom === undefined && { sourceId: sidecar.url }),
    }
    if (unique.includes(file)) items.set(file.name, { item, sidecar, folder })
    else found.push({ item, sidecar: undefined, folder })
    if (!sidecar && match.still === undefined) {
      problems.push({ path: file.path, reason: match.ambiguous ? 'ambiguous-sidecar' : 'no-sidecar' })
    }
  }
  const clips = new Set<string>()
  for (const [name, { editedFrom, still, sidecar }] of matches) {
    const [one, original, photo] = [name, editedFrom, still].map(key => items.get(key ?? ''))
    if (one && original) one.item.editedFrom = original.item
    if (!one || !photo || photo.item.clip) continue
    photo.item.clip = { item: one.item, belongsIf: sidecar === undefined ? 'short' : 'identifier' }
    clips.add(name)
    tree.openEarly([one.item.file])
  }
  found.push(...[...items].filter(([name]) => !clips.has(name)).map(([, one]) => one))
  for (const name of unused) {
    const orphan = byName.get(name)
    if (orphan && !orphan.sidecar.trashed) orphans.push({ folder, ...orphan })
  }
}

const ARCHIVED = 'Archived'
const FROM_PARTNER = 'Partner sharing'

function factsOf(sidecar: Sidecar): ImportFacts {
  const { takenAt, uploadedAt, place, description, favorited, archived, people, comments, likes } = sidecar
  const date =
    takenAt !== null ? { moment: takenAt } : uploadedAt !== null ? { moment: uploadedAt, uncertain: true } : undefined
  return {
    ...(date && { date }),
    ...(place && { place }),
    ...(description && { description }),
    notes: [],
    heart: favorited,
    tags: [...(archived ? [ARCHIVED] : []), ...(sidecar.fromPartner ? [FROM_PARTNER] : [])],
    people,
    comments,
    hearts: likes,
  }
}

/** Some albums have only the sidecars of their photos: these are in it if there is exactly one of the same title and time. */
function joinAlbumsWithoutFiles(
  found: readonly Found[],
  orphans: readonly { folder: Folder; file: TreeFile; sidecar: Sidecar }[],
  problems: ImportProblem[],
): void {
  const byTitle = Map.groupBy(found, ({ sidecar }) => (sidecar ? titleKey(sidecar) : ''))
  for (const { folder, file, sidecar } of orphans) {
    const { path } = file
    if (!folder.album) {
      problems.push({ path, reason: 'sidecar-without-file' })
      continue
    }
    const same = (byTitle.get(titleKey(sidecar)) ?? []).filter(({ item }) => !item.editedFrom)
    // Copies in other albums are the same photo.
    const [one, ...others] = new Map(same.map(each => [contentKey(each), each])).values()
    const inYears = same.filter(each => !each.folder.album)
    const [only] = others.length === 0 ? [one] : inYears.length === 1 ? inYears : []
    if (!one) problems.push({ path, reason: 'album-file-not-found' })
    else if (!only) problems.push({ path, reason: 'album-file-ambiguous' })
    else only.item.albums = [...only.item.albums, { key: folder.album.key }]
  }
}

function titleKey({ title, takenAt }: Sidecar): string {
  return JSON.stringify([title, takenAt])
}

function contentKey({ item: { file } }: Found): string {
  return file.fingerprint.startsWith('crc32:') ? `${file.size} ${file.fingerprint}` : file.path
}

/** A photo is in the folder of its year and again in each album. In a ZIP its checksum says so, and it is read once. */
function withoutCopies(found: readonly Found[]): ImportItem[] {
  const first = new Map<string, ImportItem>()
  const items: ImportItem[] = []
  for (const { item, sidecar } of found) {
    const { file, clip, albums, editedFrom } = item
    const isChecked = sidecar && file.fingerprint.startsWith('crc32:')
    const key = isChecked
      ? JSON.stringify([titleKey(sidecar), file.size, file.fingerprint, clip?.item.file.fingerprint, !editedFrom])
      : undefined
    const same = key === undefined ? undefined : first.get(key)
    if (same) {
      same.albums = [...same.albums, ...albums]
      continue
    }
    if (key !== undefined) first.set(key, item)
    items.push(item)
  }
  return items
}
