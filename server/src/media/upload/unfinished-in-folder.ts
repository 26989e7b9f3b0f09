import { createWriteStream } from 'node:fs'
import { link, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { unlessMissing } from '../../storage/local/disk-errors.ts'
import type { UnfinishedUploads } from './unfinished.ts'

/** Each upload is a file that grows, with what is known of it beside. For the one server that holds the folder. */
export async function unfinishedInFolder(folder: string): Promise<UnfinishedUploads> {
  await mkdir(folder, { recursive: true })
  const filesOf = (uploadId: string) => [uploadId, `${uploadId}.json`].map(name => join(folder, name))
  return {
    store: new FrankFileStore({ directory: folder }),
    // A second name for the bytes: should anything fail from here on, the upload is still there to finish.
    copyTo: (uploadId, path) => link(join(folder, uploadId), path),
    async forget(uploadId) {
      for (const path of filesOf(uploadId)) await rm(path, { force: true })
    },
    async *all() {
      for (const uploadId of new Set((await readdir(folder)).map(name => name.replace(/\.json$/, '')))) {
        yield { uploadId, heardAt: Math.max(...(await Promise.all(filesOf(uploadId).map(changedAt)))) }
      }
    },
  }
}

/** Says why a write failed, which the library's own store keeps to itself: a full disk has an answer of its own. */
class FrankFileStore extends FileStore {
  override async write(source: Readable, uploadId: string, offset: number): Promise<number> {
    const sink = createWriteStream(join(this.directory, uploadId), { flags: 'r+', start: offset })
    await pipeline(source, sink)
    return offset + sink.bytesWritten
  }
}

async function changedAt(path: string): Promise<number> {
  return (await unlessMissing(stat(path)))?.mtimeMs ?? 0
}
