import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { imports, lengths, motionPhotos } from '#contract/limits.ts'
import type { Tx } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { nameFromDisk } from '../kit/name-from-disk.ts'
import { newName, pathBelow, type RootFolder, type Scratch } from '../kit/safe-path.ts'
import {
  enqueuePrepare,
  type IncomingFile,
  isLivePhotoPair,
  type MediaTools,
  mediaIdOf,
  noPictures,
  type ReceivedFile,
  type StoredUpload,
  type StoreUploadDeps,
  sidecarOf,
  storeUpload,
} from '../media/public.ts'
import { type DetectedFormat, detectFormat } from '../processing/detect-format.ts'
import { createHasher } from '../processing/hash.ts'
import { type ExtractedMetadata, withSidecar } from '../processing/metadata.ts'
import { isAudioOnly } from '../processing/structure/audio-only.ts'
import { asStorageError } from '../storage/local/disk-errors.ts'
import { lockStored } from './imports.sql.ts'
import type { ImportItem, SourceFile } from './plan.ts'
import { resolveDate } from './resolve-date.ts'

/** The file cannot be read from its source. */
export class Unreadable extends Error {}

export interface StoreItemDeps extends Omit<StoreUploadDeps, 'prepare' | 'tools'> {
  clock: Clock
  scratch: Scratch
  queue: Queue
  tools: MediaTools
  personId: number
  signal: AbortSignal
}

export interface StoredItem {
  mediaId: number
  hash: string
  /** Not known before, or restored. */
  isNew: boolean
  incomplete: boolean
  size: number
  /** The clip, where it is a file of its own. */
  separateClip?: { mediaId: number; isNew: boolean; size: number; hash: string }
  /** The clip is no clip of this photo, and is not stored yet. */
  isClipUnrelated: boolean
}

export interface NewFile {
  mediaId: number
  hash: string
  /** The clip, stored as a file of its own. */
  isClip: boolean
  /** Which facts are in its sidecar, and so were given to it with the file. */
  given: readonly ('date' | 'place' | 'caption')[]
}

interface StoreOptions {
  folderId: () => Promise<number | null>
  /** Whether bytes that arrived are wanted: not those that people have deleted since. */
  isWanted: (hash: string) => Promise<boolean>
  /** In the transaction that adds a file to the library. */
  added: (tx: Tx, file: NewFile) => Promise<void>
}

/** Stores a file by the same code as an upload. A reason where it is none for the library. */
export async function storeItem(
  deps: StoreItemDeps,
  item: ImportItem,
  { folderId, isWanted, added }: StoreOptions,
): Promise<StoredItem | 'not-a-photo-or-video' | 'sound-only' | { deletedHash: string }> {
  return deps.scratch.withFolder(async folder => {
    const original = await receive(deps, item.file, folder)
    const format = await detectFormat(original.path)
    if (format?.kind !== 'image' && (await isAudioOnly(original.path, format?.format))) return 'sound-only'
    if (!format) return 'not-a-photo-or-video'
    if (!(await isWanted(original.hash))) return { deletedHash: original.hash }
    const read = await readMetadata(deps, original)
    const { sidecar, given } = await sidecarFor(deps, item, read, folder)
    const metadata = sidecar ? withSidecar(read, await readMetadata(deps, sidecar)).metadata : read
    const still = { path: original.path, format }
    const clip = item.clip && format.kind === 'image' ? await clipOf(deps, item.clip, still, folder) : undefined
    deps.signal.throwIfAborted()
    const incoming: IncomingFile = {
      name: fileName(item.file),
      original,
      format,
      metadata: metadata.metadata,
      folderId: await folderId(),
      fileDate: item.file.modifiedAt,
      uploaderId: deps.personId,
      converted: undefined,
      pictures: noPictures,
      clip,
      sidecar,
    }
    const stored = await storeUpload({ ...deps, prepare: prepareNew(deps, added, original.hash, given) }, incoming)
    const { separateClip } = stored
    return {
      mediaId: mediaIdOf(stored),
      hash: original.hash,
      isNew: 'file' in stored,
      incomplete: 'file' in stored && stored.file.incomplete === 1,
      size: original.size + (clip && !separateClip ? clip.file.size : 0),
      isClipUnrelated: item.clip !== undefined && !clip,
      ...(clip && separateClip && { separateClip: separate(clip.file, separateClip) }),
    }
  })
}

function separate({ size, hash }: ReceivedFile, stored: StoredUpload) {
  return { mediaId: mediaIdOf(stored), isNew: 'file' in stored, size, hash }
}

/** Of the files of one item, those that did not exist at its beginning are new; each is recorded with its row. */
function prepareNew(
  { db, queue, clock }: StoreItemDeps,
  added: StoreOptions['added'],
  hash: string,
  given: NewFile['given'],
): StoreUploadDeps['prepare'] {
  const began = clock()
  return async (tx, { id, uploaded_by }) => {
    await enqueuePrepare(queue, tx, { id, uploaded_by })
    const row = await lockStored(db, tx, id)
    // Also called for a file that was here and is repaired or gets a clip.
    if (!row || row.uploaded_at < began) return
    const isClip = row.hash !== hash
    await added(tx, { mediaId: id, hash: row.hash, isClip, given: isClip ? [] : given })
  }
}

async function readMetadata(
  { tools, signal }: StoreItemDeps,
  { path, name }: ReceivedFile,
): Promise<ExtractedMetadata> {
  return tools.readMetadata(path, { signal, name }).catch(error => {
    // Report the cancellation of the import instead of an error of this file.
    signal.throwIfAborted()
    throw error
  })
}

/** Its own sidecar, or one with what the source knows: the job that reads the metadata again finds it there. */
async function sidecarFor(
  deps: StoreItemDeps,
  item: ImportItem,
  read: ExtractedMetadata,
  folder: RootFolder,
): Promise<{ sidecar: ReceivedFile | undefined; given: NewFile['given'] }> {
  const { sidecar, facts } = item
  const own = sidecar && sidecar.size > 0 && sidecar.size <= imports.sidecarBytes ? sidecar : undefined
  if (own) return { sidecar: await receive(deps, own, folder), given: ['date', 'place', 'caption'] }
  const edtf = dateFor(deps, item, read)
  const { place, description } = facts
  const given: NewFile['given'] = [
    ...(facts.date ? (['date'] as const) : []),
    ...(place ? (['place'] as const) : []),
    ...(description ? (['caption'] as const) : []),
  ]
  if (edtf === undefined && !place && !description) return { sidecar: undefined, given }
  const bytes = sidecarOf({ edtf, position: place, description: description ?? null })
  const made = { path: 'facts.xmp', name: 'facts.xmp', size: bytes.length, fingerprint: '', modifiedAt: null }
  const open = async function* () {
    yield bytes
  }
  return { sidecar: await receive(deps, { ...made, open }, folder), given }
}

function dateFor(
  { tools }: StoreItemDeps,
  { file, facts: { date, place } }: ImportItem,
  { takenAt, takenOn, metadata }: ExtractedMetadata,
): string | undefined {
  const { latitude, longitude } = place ?? metadata
  const { homeTimeZone } = tools
  return date && resolveDate(date, { name: file.name, takenAt, takenOn, latitude, longitude, homeTimeZone })
}

/** Undefined: it does not belong to this photo. */
async function clipOf(
  deps: StoreItemDeps,
  { item: { file }, belongsIf }: NonNullable<ImportItem['clip']>,
  still: { path: string; format: DetectedFormat },
  folder: RootFolder,
): Promise<IncomingFile['clip']> {
  const received = await receive(deps, file, folder)
  const format = await detectFormat(received.path)
  if (format?.kind !== 'video') return undefined
  const { signal, tools } = deps
  const belongs =
    belongsIf === 'same'
      ? await isLivePhotoPair(tools, still.path, { path: received.path, format }, { signal })
      : await isSamePhoto(deps, still.path, received, belongsIf)
  return belongs ? { file: received, format, name: fileName(file), fileDate: file.modifiedAt, belongs } : undefined
}

async function isSamePhoto(
  deps: StoreItemDeps,
  still: string,
  clip: ReceivedFile,
  belongsIf: 'identifier' | 'short',
): Promise<boolean> {
  const photo = await deps.tools.readMetadata(still, { signal: deps.signal })
  const { duration, contentIdentifier } = await readMetadata(deps, clip)
  if (photo.contentIdentifier !== null && contentIdentifier !== null) {
    return photo.contentIdentifier === contentIdentifier
  }
  return belongsIf === 'short' && duration !== null && duration <= motionPhotos.longestClip
}

/** Copies a file into scratch and hashes it on the way. */
async function receive(deps: StoreItemDeps, file: SourceFile, folder: RootFolder): Promise<ReceivedFile> {
  const path = pathBelow(folder, newName())
  const hasher = createHasher()
  let size = 0
  async function* bytes() {
    try {
      for await (const chunk of file.open()) {
        size += chunk.length
        if (size > file.size) throw new Unreadable('it is larger than it says')
        hasher.update(chunk)
        yield chunk
      }
    } catch (cause) {
      if (cause instanceof Unreadable) throw cause
      throw new Unreadable(cause instanceof Error ? cause.message : String(cause), { cause })
    }
  }
  try {
    await pipeline(bytes(), createWriteStream(path, { flags: 'wx' }), { signal: deps.signal })
  } catch (error) {
    deps.signal.throwIfAborted()
    throw error instanceof Unreadable || error instanceof AppError ? error : asStorageError(error)
  }
  if (size < file.size) throw new Unreadable('it ends too early')
  return { name: file.name, path, size, hash: hasher.digest() }
}

function fileName({ name }: SourceFile): string {
  return nameFromDisk(name, lengths.fileName) || 'file'
}
