import { createWriteStream } from 'node:fs'
import { link, mkdir, readdir, stat, statfs } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'
import type { Clock } from '../../kit/clock.ts'
import { pathBelow, type RootFolder, removeFile, rootFolder } from '../../kit/safe-path.ts'
import { unlessMissing } from '../../storage/local/disk-errors.ts'
import {
  availableBytes,
  descriptionName,
  ownerOf,
  parseUploadId,
  RESERVATION_MS,
  requireUploadId,
  type UnfinishedUploads,
  type UploadId,
} from './resumable-store.ts'

/** Reserved for the database and for variants; less on a small disk. */
const RESERVED_BYTES = 512 * 1024 ** 2
const RESERVED_SHARE = 0.01

interface FolderOptions {
  /** The size and the free space of the disk that holds a folder. */
  diskOf?: (folder: string) => Promise<{ bsize: number; blocks: number; bavail: number }>
}

/** Each upload is a growing file with a JSON description next to it. For a single server. */
export async function unfinishedInFolder(
  path: string,
  clock: Clock,
  { diskOf = statfs }: FolderOptions = {},
): Promise<UnfinishedUploads> {
  const folder = rootFolder(path)
  await mkdir(folder, { recursive: true })
  const filesOf = (uploadId: UploadId) => [pathBelow(folder, uploadId), pathBelow(folder, descriptionName(uploadId))]
  const store = new CheckedFileStore(folder)
  /** Cache: sizes never change, and reading one opens a file. Entries of removed uploads are dropped at each listing. */
  const sizes = new Map<UploadId, number>()

  async function ids(): Promise<UploadId[]> {
    const names = new Set((await readdir(folder)).map(entry => entry.replace(/\.json$/, '')))
    return [...names].map(parseUploadId).filter(id => id !== undefined)
  }

  /** Bytes that an upload will still take; 0 for one that received nothing for a while. */
  async function reservedBy(uploadId: UploadId): Promise<number> {
    const file = await unlessMissing(stat(pathBelow(folder, uploadId)))
    if (!file || clock() - file.mtimeMs > RESERVATION_MS) return 0
    const size = sizes.get(uploadId) ?? (await store.getUpload(uploadId).catch(() => undefined))?.size
    // Its description is not yet written or is being removed.
    if (size === undefined) return 0
    sizes.set(uploadId, size)
    return Math.max(0, size - file.size)
  }

  return {
    store,
    countOwnedBy: async personId => (await ids()).filter(id => ownerOf(id) === personId).length,
    async freeBytesFor(personId) {
      const { bavail, blocks, bsize } = await diskOf(folder)
      const present = new Set(await ids())
      for (const uploadId of sizes.keys()) if (!present.has(uploadId)) sizes.delete(uploadId)
      const free = bavail * bsize - Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_SHARE)
      return availableBytes(free, personId, await Promise.all([...present].map(async id => [id, await reservedBy(id)])))
    },
    // A hard link: if anything fails from here on, the upload still exists and can be finished again.
    copyTo: async (uploadId, into) => link(pathBelow(folder, uploadId), into),
    async remove(uploadId) {
      for (const file of filesOf(uploadId)) await removeFile(file)
    },
    async *list() {
      for (const uploadId of await ids()) {
        yield { uploadId, lastActivityAt: Math.max(...(await Promise.all(filesOf(uploadId).map(changedAt)))) }
      }
    },
  }
}

/** Unlike its base class it parses ids before building paths, and reports why a write failed. */
class CheckedFileStore extends FileStore {
  readonly #folder: RootFolder

  constructor(folder: RootFolder) {
    super({ directory: folder })
    this.#folder = folder
    // No deferred lengths: space cannot be reserved for an upload of unknown size.
    this.extensions = ['creation', 'creation-with-upload', 'termination']
  }

  override async create(upload: Upload): Promise<Upload> {
    requireUploadId(upload.id)
    return super.create(upload)
  }

  override async write(source: Readable, uploadId: string, offset: number): Promise<number> {
    const sink = createWriteStream(pathBelow(this.#folder, requireUploadId(uploadId)), { flags: 'r+', start: offset })
    await pipeline(source, sink)
    return offset + sink.bytesWritten
  }

  override async getUpload(uploadId: string): Promise<Upload> {
    return super.getUpload(requireUploadId(uploadId))
  }

  override async remove(uploadId: string): Promise<void> {
    return super.remove(requireUploadId(uploadId))
  }

  override read(uploadId: string) {
    return super.read(requireUploadId(uploadId))
  }
}

async function changedAt(path: string): Promise<number> {
  return (await unlessMissing(stat(path)))?.mtimeMs ?? 0
}
