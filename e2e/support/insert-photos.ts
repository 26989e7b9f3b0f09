import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { PhotoMetadata } from '#contract/metadata.ts'
import { connect } from '#server/db/database.ts'
import { systemClock } from '#server/kit/clock.ts'
import { newName, pathBelow, type RootFolder, rootFolder } from '#server/kit/safe-path.ts'
import type { MadeFile } from '#server/media/store-files.ts'
import { checkOriginal } from '#server/media/upload/check-upload.ts'
import { type StoreUploadDeps, storeUpload } from '#server/media/upload/store-upload.ts'
import { hashFile } from '#server/processing/hash.ts'
import { makeThumbhash, toPixels } from '#server/processing/images/pixels.ts'
import { openLocalStorage } from '#server/storage/local/local-storage.ts'
import { createSigning } from '#server/storage/signing.ts'
import { makePicture, viewingSizes } from '../../server/test/fixtures/pictures.ts'

export interface PhotoToInsert {
  name: string
  width: number
  height: number
  /** With the camera's clock. */
  dateTimeOriginal: string
  folderId: number | null
}

/** High numbers keep the bytes unique: tests number their own pictures from 1, and the library rejects duplicates. */
let lastNumber = 1_000_000

/**
 * Stores photos and their variants in a library on SQLite as an upload does, without the requests, decoders and jobs. The
 * running server is not notified, so call it before anything is listed. The first person who signed in owns the photos.
 */
export async function insertPhotos(dataFolder: string, photos: readonly PhotoToInsert[]): Promise<void> {
  const db = await connect({ url: undefined, dataFolder })
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-insert-'))
  try {
    const { id } = await db.query.selectFrom('people').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
    // Nothing is signed here, so any secret will do.
    const signing = createSigning({ secret: new Uint8Array(32), clock: systemClock })
    const storage = await openLocalStorage({ folder: join(dataFolder, 'files'), signing })
    const prepare = async () => {}
    const deps = { db, storage, clock: systemClock, tools: { homeTimeZone: 'UTC' }, prepare }
    const root = rootFolder(await realpath(folder))
    for (const photo of photos) await insertPhoto(deps, root, id, photo)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await db.close()
  }
}

async function insertPhoto(
  deps: StoreUploadDeps,
  folder: RootFolder,
  uploaderId: number,
  { name, width, height, dateTimeOriginal, folderId }: PhotoToInsert,
): Promise<void> {
  const bytes = await makePicture({ width, height, number: ++lastNumber })
  const file = async () => {
    const path = pathBelow(folder, newName())
    await writeFile(path, bytes)
    return { path, size: bytes.length }
  }
  const original = await file()
  // The photo is smaller than every variant may be, so it serves as all of them.
  const variants = await Promise.all(
    viewingSizes.map(
      async (kind): Promise<MadeFile> => ({ kind, ...(await file()), mime: 'image/jpeg', width, height }),
    ),
  )
  const received = { ...original, name, hash: await hashFile(original.path) }
  const stored = await storeUpload(deps, {
    name,
    original: received,
    format: await checkOriginal(deps, { name, original: received, folderId }),
    metadata: PhotoMetadata.parse({ dateTimeOriginal }),
    folderId,
    fileDate: null,
    uploaderId,
    converted: undefined,
    pictures: {
      variants,
      width,
      height,
      thumbhash: await makeThumbhash(await toPixels(sharp(bytes))),
    },
  })
  if (!('file' in stored) || stored.file.status !== 'ready') throw new Error(`${name} was not stored as a ready photo`)
}
