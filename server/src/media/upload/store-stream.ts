import type { Readable } from 'node:stream'
import type { Scratch } from '../../kit/safe-path.ts'
import { checkOriginal, noPictures } from './check-upload.ts'
import { mediaIdOf, type StoreUploadDeps, storeUpload } from './store-upload.ts'
import { withUploadSlot } from './upload.ts'
import { asUploadError, receiveFile } from './upload-form.ts'

export interface StoreStreamDeps extends StoreUploadDeps {
  scratch: Scratch
}

/** The bytes of one file, as a device sends them by itself. */
export interface ReceivedUpload {
  stream: Readable
  /** If the client says it. */
  modifiedAt: number | undefined
  /** Aborts when the access of the client ends. */
  signal: AbortSignal
}

export interface StreamOptions {
  name: string
  uploaderId: number
  folderId(): Promise<number | null>
  /** The file that the library has of these bytes, if they are not to be stored again, whatever has become of it. */
  known(hash: string): Promise<number | undefined>
}

/** Stores one file from a stream, in constant memory. Undefined if it is empty. */
export async function storeStream(
  deps: StoreStreamDeps,
  { stream, modifiedAt, signal }: ReceivedUpload,
  { name, uploaderId, folderId, known }: StreamOptions,
): Promise<{ mediaId: number; size: number; hash: string; isNew: boolean } | undefined> {
  return withUploadSlot(uploaderId, () =>
    deps.scratch.withFolder(async folder => {
      const original = await receiveFile(stream, name, folder, signal).catch(error => {
        signal.throwIfAborted()
        throw asUploadError(error)
      })
      const { size, hash } = original
      if (size === 0) return undefined
      const knownId = await known(hash)
      if (knownId !== undefined) return { mediaId: knownId, size, hash, isNew: false }
      const format = await checkOriginal(deps, { name, original, folderId: null })
      signal.throwIfAborted()
      const result = await storeUpload(deps, {
        name,
        original,
        format,
        metadata: null,
        folderId: await folderId(),
        fileDate: modifiedAt ?? null,
        uploaderId,
        converted: undefined,
        pictures: noPictures,
      })
      return { mediaId: mediaIdOf(result), size, hash, isNew: 'file' in result }
    }),
  )
}
