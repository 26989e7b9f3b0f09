import { createWriteStream } from 'node:fs'
import { link, mkdir, readdir, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'
import { pathBelow, type RootFolder, removeFile, rootFolder } from '../../kit/safe-path.ts'
import { unlessMissing } from '../../storage/local/disk-errors.ts'
import { exactId, type UnfinishedUploads } from './unfinished.ts'
import { descriptionName, parseUploadId, type UploadId } from './upload-id.ts'

/** Each upload is a file that grows, with what is known of it beside. For the one server that holds the folder. */
export async function unfinishedInFolder(path: string): Promise<UnfinishedUploads> {
  const folder = rootFolder(path)
  await mkdir(folder, { recursive: true })
  const filesOf = (uploadId: UploadId) => [pathBelow(folder, uploadId), pathBelow(folder, descriptionName(uploadId))]
  return {
    store: new CheckedFileStore(folder),
    // A second name for the bytes: should anything fail from here on, the upload is still there to finish.
    copyTo: (uploadId, into) => link(pathBelow(folder, uploadId), into),
    async forget(uploadId) {
      for (const file of filesOf(uploadId)) await removeFile(file)
    },
    async *all() {
      for (const name of new Set((await readdir(folder)).map(entry => entry.replace(/\.json$/, '')))) {
        const uploadId = parseUploadId(name)
        if (!uploadId) continue
        yield { uploadId, heardAt: Math.max(...(await Promise.all(filesOf(uploadId).map(changedAt)))) }
      }
    },
  }
}

/** The library's own store joins any id to its folder; this one takes exact ids only, and says why a write failed. */
class CheckedFileStore extends FileStore {
  readonly #folder: RootFolder

  constructor(folder: RootFolder) {
    super({ directory: folder })
    this.#folder = folder
    // No deferred lengths: an upload whose size nobody knows cannot be counted against the free space.
    this.extensions = ['creation', 'creation-with-upload', 'termination']
  }

  override async create(upload: Upload): Promise<Upload> {
    exactId(upload.id)
    return super.create(upload)
  }

  override async write(source: Readable, uploadId: string, offset: number): Promise<number> {
    const sink = createWriteStream(pathBelow(this.#folder, exactId(uploadId)), { flags: 'r+', start: offset })
    await pipeline(source, sink)
    return offset + sink.bytesWritten
  }

  override async getUpload(uploadId: string): Promise<Upload> {
    return super.getUpload(exactId(uploadId))
  }

  override async remove(uploadId: string): Promise<void> {
    return super.remove(exactId(uploadId))
  }

  override read(uploadId: string) {
    return super.read(exactId(uploadId))
  }
}

async function changedAt(path: string): Promise<number> {
  return (await unlessMissing(stat(path)))?.mtimeMs ?? 0
}
