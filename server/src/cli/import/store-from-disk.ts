import { constants, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { imports, lengths } from '#contract/limits.ts'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../kit/errors.ts'
import { nameFromDisk } from '../../kit/name-from-disk.ts'
import { newName, pathBelow, type RootFolder, type SafePath } from '../../kit/safe-path.ts'
import { enqueuePrepare } from '../../media/prepare/jobs.ts'
import { type IncomingFile, noPictures } from '../../media/upload/check-upload.ts'
import { mediaIdOf, type StoredUpload, storeUpload } from '../../media/upload/store-upload.ts'
import type { ReceivedFile } from '../../media/upload/upload-form.ts'
import { detectFormat, detectFormatOfBytes, HEAD_BYTES } from '../../processing/detect-format.ts'
import { createHasher } from '../../processing/hash.ts'
import type { ExtractedMetadata } from '../../processing/metadata.ts'
import { withSidecar } from '../../processing/metadata.ts'
import { isAudioOnlyHandle } from '../../processing/structure/audio-only.ts'
import { readHeadOfHandle } from '../../processing/structure/file-window.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'
import { addFromSidecar } from './sidecars.ts'
import type { TreeFile } from './walk.ts'

/** The file on disk cannot be read. */
export class Unreadable extends Error {}

export interface StoreFromDiskDeps extends AppContext {
  uploaderId: number
  signal: AbortSignal
}

export type ImportResult =
  | 'not a photo or video'
  | 'sound without a picture'
  | { hash: string; clipHash: string | undefined; result: StoredUpload }

/** Copies a file from disk and stores it by the same code as an upload. The source file is never changed. */
export async function storeFromDisk(
  deps: StoreFromDiskDeps,
  file: TreeFile,
  folderId: () => Promise<number | null>,
): Promise<ImportResult> {
  const handle = await reading(open(file.path, constants.O_RDONLY | constants.O_NOFOLLOW))
  try {
    const format = detectFormatOfBytes(await reading(readHeadOfHandle(handle, HEAD_BYTES)))
    if (format?.kind !== 'image' && (await reading(isAudioOnlyHandle(handle, format?.format)))) {
      return 'sound without a picture'
    }
    if (!format) return 'not a photo or video'
    return await deps.scratch.withFolder(async folder => {
      const original = await copy(handle, file.name, pathBelow(folder, newName()), deps.signal)
      const read = await readMetadata(deps, original, file.name)
      const sidecar = file.sidecar === undefined ? undefined : await copySidecar(file.sidecar, folder, deps.signal)
      const described = sidecar && (await readMetadata(deps, sidecar, file.name))
      const { metadata } = described ? withSidecar(read, described).metadata : read
      deps.signal.throwIfAborted()
      const incoming: IncomingFile = {
        name: fileName(file.name),
        original,
        format,
        metadata,
        folderId: await folderId(),
        fileDate: Math.floor(file.modifiedAt),
        uploaderId: deps.uploaderId,
        converted: undefined,
        pictures: noPictures,
        clip: file.clip && (await copyClip(file.clip, folder, deps.signal)),
        sidecar,
      }
      const prepare = enqueuePrepare.bind(null, deps.queue)
      const result = await storeUpload({ ...deps, prepare }, incoming)
      // Also for a file that already existed: an earlier import may have been interrupted between storing it and this.
      if (described) await addFromSidecar(deps, mediaIdOf(result), described)
      return { hash: original.hash, clipHash: incoming.clip?.file.hash, result }
    })
  } finally {
    await handle.close()
  }
}

export async function readMetadata(
  { tools, signal }: StoreFromDiskDeps,
  { path }: ReceivedFile,
  name: string,
): Promise<ExtractedMetadata> {
  return tools.readMetadata(path, { signal, name }).catch(error => {
    // Report the cancellation of the import instead of an error of this file.
    signal.throwIfAborted()
    throw error
  })
}

/** Undefined if it cannot be read or is too large for a sidecar: the photo is imported anyway. */
export async function copySidecar(
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<ReceivedFile | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  try {
    const size = (await handle?.stat().catch(() => undefined))?.size ?? 0
    if (!handle || size === 0 || size > imports.sidecarBytes) return undefined
    return await copy(handle, basename(path), pathBelow(folder, newName()), signal)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  } finally {
    await handle?.close()
  }
}

async function copyClip(clip: TreeFile, folder: RootFolder, signal: AbortSignal): Promise<IncomingFile['clip']> {
  const handle = await reading(open(clip.path, constants.O_RDONLY | constants.O_NOFOLLOW))
  try {
    const file = await copy(handle, clip.name, pathBelow(folder, newName()), signal)
    const format = await detectFormat(file.path)
    if (format?.kind !== 'video') throw new Unreadable(`${clip.name} is not the film any more that it just was`)
    const [name, fileDate] = [fileName(clip.name), Math.floor(clip.modifiedAt)]
    return { file, format, name, fileDate, belongs: true }
  } finally {
    await handle.close()
  }
}

const CHUNK_BYTES = 1024 * 1024

async function copy(handle: FileHandle, name: string, path: SafePath, signal: AbortSignal): Promise<ReceivedFile> {
  const hasher = createHasher()
  let size = 0
  async function* bytes() {
    for (;;) {
      const { buffer, bytesRead } = await reading(handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, size))
      if (bytesRead === 0) return
      const chunk = buffer.subarray(0, bytesRead)
      size += bytesRead
      hasher.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', highWaterMark: CHUNK_BYTES }), { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Unreadable || error instanceof AppError ? error : asStorageError(error)
  }
  return { name, path, size, hash: hasher.digest() }
}

/** Wraps errors of the source disk as `Unreadable`. */
async function reading<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (cause) {
    throw new Unreadable(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

export function fileName(onDisk: string): string {
  return nameFromDisk(onDisk, lengths.fileName) || 'file'
}
