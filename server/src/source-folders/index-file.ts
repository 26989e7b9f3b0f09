import type { FileHandle } from 'node:fs/promises'
import { addFromSidecar } from '../cli/import/sidecars.ts'
import { copySidecar, fileName, readMetadata, type StoreFromDiskDeps } from '../cli/import/store-from-disk.ts'
import { isLivePhoto, type TreeFile } from '../cli/import/walk.ts'
import type { Tx } from '../db/schema.ts'
import type { FolderFinder } from '../folders/public.ts'
import type { RootFolder, SafePath } from '../kit/safe-path.ts'
import {
  announceFiles,
  enqueuePrepare,
  type IncomingFile,
  noPictures,
  replaceInPlace,
  storeInPlace,
} from '../media/public.ts'
import { type DetectedFormat, detectFormatOfBytes, HEAD_BYTES } from '../processing/detect-format.ts'
import { createHasher } from '../processing/hash.ts'
import { isAudioOnlyHandle } from '../processing/structure/audio-only.ts'
import { readHeadOfHandle } from '../processing/structure/file-window.ts'
import { isAsListed, openWithoutLinks, pathOfName } from './paths.ts'
import {
  isClipOf,
  isHiddenForGood,
  isOnlyPlace,
  mediaWithHash,
  placesOfMedia,
  setMissing,
  shownInPlace,
  upsertWatched,
  type WatchedRow,
} from './watched.sql.ts'
import type { Place } from './watched-storage.ts'

export interface Indexing extends StoreFromDiskDeps {
  /** The folder as it is configured, and with all links resolved. */
  root: string
  folder: RootFolder
  folderFor: FolderFinder
}

/** A file that was written this recently may still be incomplete. */
const SETTLED_AFTER_MS = 60_000

/**
 * Makes the rows of a file, and of its clip, say what is on the disk. A file whose size and time are known is not opened.
 * Returns the ids of the rows whose files are there.
 */
export async function indexFound(
  indexing: Indexing,
  known: ReadonlyMap<string, WatchedRow>,
  { clip, ...file }: TreeFile,
): Promise<number[]> {
  const row = known.get(nameOf(indexing, file))
  if (row && isListed(row, file)) {
    return [row.id, ...(clip ? await indexFound(indexing, known, clip) : [])]
  }
  const isNewPair = clip && !row && !known.has(nameOf(indexing, clip))
  if (isNewPair && (await isLivePhoto(indexing, file, clip))) return indexFile(indexing, { ...file, clip }, row)
  return [...(await indexFile(indexing, file, row)), ...(clip ? await indexFound(indexing, known, clip) : [])]
}

export function nameOf({ folder }: Pick<Indexing, 'folder'>, { path }: Pick<TreeFile, 'path'>): string {
  return path.slice(folder.length + 1)
}

function isListed(row: WatchedRow, { size, modifiedAt }: TreeFile): boolean {
  return isAsListed({ size, mtimeMs: modifiedAt }, row)
}

async function indexFile(indexing: Indexing, file: TreeFile, row: WatchedRow | undefined): Promise<number[]> {
  const { db, clock } = indexing
  const asItWas = row ? [row.id] : []
  const age = clock() - file.modifiedAt
  if (age >= 0 && age < SETTLED_AFTER_MS) return asItWas
  const read = await readInPlace(indexing, file)
  if (read === undefined) return asItWas
  const { place } = read
  if (!('hash' in read)) {
    return [await moveRow(indexing, row, tx => upsertWatched(tx, { ...place, hash: null, media_id: null, part: null }))]
  }
  const { hash } = read
  const existing = await mediaWithHash(db.query, hash)
  if (existing) {
    const { id: media_id } = existing
    const id = await moveRow(indexing, row, async tx => {
      if (existing.missing_at !== null) {
        await setMissing(tx, [media_id], null)
        await announceFiles(db, tx, [media_id])
      }
      return upsertWatched(tx, { ...place, hash, media_id, part: 'original' })
    })
    return [id, ...(file.clip ? await indexClip(indexing, file.clip, media_id) : [])]
  }
  const isHidden = row?.hash != null && row.media_id === null
  if (isHidden || (await isHiddenForGood(db.query, hash))) {
    return [await upsertWatched(db.query, { ...place, hash, media_id: null, part: 'original' })]
  }
  return store(indexing, { file, read, row })
}

/** The clip of a photo that was moved: it belongs to it, or is a file of its own. */
async function indexClip(indexing: Indexing, clip: TreeFile, media_id: number): Promise<number[]> {
  const read = await readInPlace(indexing, clip)
  if (!read || !('hash' in read) || !(await isClipOf(indexing.db.query, media_id, read.hash))) {
    return indexFile(indexing, clip, undefined)
  }
  return [await upsertWatched(indexing.db.query, { ...read.place, hash: read.hash, media_id, part: 'motion' })]
}

interface Read {
  place: Place
  path: SafePath
  hash: string
  format: DetectedFormat
}

/** Without a hash if it is neither photo nor video; undefined if it cannot be opened, or changes while it is read. */
async function readInPlace(indexing: Indexing, file: TreeFile): Promise<Read | Pick<Read, 'place'> | undefined> {
  const { root, folder, signal } = indexing
  const name = nameOf(indexing, file)
  const path = pathOfName(folder, name)
  const opened = path && (await openWithoutLinks(path))
  if (!opened) return undefined
  const { handle, stats } = opened
  try {
    const place = { root, path: name, size: stats.size, modified_at: Math.floor(stats.mtimeMs) }
    const format = detectFormatOfBytes(await readHeadOfHandle(handle, HEAD_BYTES))
    if (!format || (format.kind !== 'image' && (await isAudioOnlyHandle(handle, format.format)))) return { place }
    const hash = await hashOf(handle, signal)
    return isAsListed(await handle.stat(), place) ? { place, path, hash, format } : undefined
  } finally {
    await handle.close()
  }
}

const CHUNK_BYTES = 1024 * 1024

async function hashOf(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const hasher = createHasher()
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let at = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return hasher.digest()
    hasher.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
}

/** The file at this place was another one before: if that is nowhere else, it is missing now. */
async function moveRow(
  { db, clock }: Indexing,
  row: WatchedRow | undefined,
  upsert: (tx: Tx) => Promise<number>,
): Promise<number> {
  return db.transaction(async tx => {
    const id = await upsert(tx)
    const before = row?.part === 'original' ? row.media_id : null
    if (before === null) return id
    const isShown = (await shownInPlace(tx, [before])).has(before)
    if (isShown && (await placesOfMedia(tx, [before])).length === 0) {
      await setMissing(tx, [before], clock())
      await announceFiles(db, tx, [before])
    }
    return id
  })
}

/** A new file, or other bytes at the place of a file that is nowhere else. */
async function store(
  indexing: Indexing,
  { file, read, row }: { file: TreeFile; read: Read; row: WatchedRow | undefined },
): Promise<number[]> {
  const { db, scratch, signal } = indexing
  const deps = { ...indexing, prepare: enqueuePrepare.bind(null, indexing.queue) }
  const { place, path, hash, format } = read
  const clip = file.clip && (await readInPlace(indexing, file.clip))
  const film =
    clip && 'hash' in clip && clip.format.kind === 'video' && file.clip ? { ...clip, file: file.clip } : undefined
  const incoming: IncomingFile = {
    name: fileName(file.name),
    original: { name: file.name, path, size: place.size, hash },
    format,
    metadata: null,
    folderId: await indexing.folderFor(file.folders),
    fileDate: place.modified_at,
    uploaderId: indexing.uploaderId,
    converted: undefined,
    pictures: noPictures,
    clip: film && {
      file: { name: film.file.name, path: film.path, size: film.place.size, hash: film.hash },
      ...{ format: film.format, name: fileName(film.file.name), fileDate: film.place.modified_at, belongs: true },
    },
  }
  const ids: number[] = []
  const commit = async (tx: Tx, media_id: number) => {
    ids.push(await upsertWatched(tx, { ...place, hash, media_id, part: 'original' }))
    if (film) ids.push(await upsertWatched(tx, { ...film.place, hash: film.hash, media_id, part: 'motion' }))
  }
  if (row && row.media_id !== null && row.part === 'original' && (await isOnlyPlace(db.query, row.media_id, row.id))) {
    const { media_id } = row
    await replaceInPlace(deps, incoming, media_id, tx => commit(tx, media_id))
    return ids
  }
  await scratch.withFolder(async folder => {
    const sidecar = file.sidecar === undefined ? undefined : await copySidecar(file.sidecar, folder, signal)
    const described = sidecar && (await readMetadata(indexing, sidecar, file.name))
    const media = await storeInPlace(deps, { ...incoming, sidecar }, (tx, { id }) => commit(tx, id))
    if (described) await addFromSidecar(indexing, media.id, described)
  })
  return ids
}
