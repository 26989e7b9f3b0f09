import type { DuplicateOf } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import type { Database } from '../../db/database.ts'
import type { MediaRow, Tx } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { type DetectedFormat, detectFormat } from '../../processing/recognise.ts'
import { isAudioOnly } from '../../processing/structure/sound-only.ts'
import type { Storage } from '../../storage/storage.ts'
import { folderExists, isApproved } from '../media.sql.ts'
import type { QueuedMedia } from '../prepare/orders.ts'
import type { MediaTools } from '../prepare/tools.ts'
import type { ClientPictures } from './client-variants.ts'
import type { ReceivedFile } from './receive.ts'

export interface StoreUploadDeps {
  db: Database
  storage: Storage
  clock: Clock
  tools: Pick<MediaTools, 'homeTimeZone'>
  /** Asks for what is still to be made: pictures, a video that plays, what the camera wrote. */
  prepare(tx: Tx, media: QueuedMedia): Promise<void>
}

/** A file whose bytes are all here, checked as far as they can be before anyone is asked to wait for more. */
export interface IncomingFile {
  name: string
  original: ReceivedFile
  metadata: PhotoMetadata | null
  folderId: number | null
  fileDate: number | null
  uploaderId: number
  /** A client's version that browsers show, where the original is not one. */
  converted: ReceivedFile | undefined
  pictures: ClientPictures
  /** A Live Photo's moving part. */
  clip?: IncomingClip | undefined
  /** An XMP file that was beside it. */
  sidecar?: ReceivedFile | undefined
}

export interface IncomingClip {
  file: ReceivedFile
  recognised: DetectedFormat
  /** What it is called where it becomes a file of its own. */
  name: string
  fileDate: number | null
  /** Whether it is the moving part of this photo. If not, it becomes a file of its own. */
  belongs: boolean
}

export type StoredUpload = ({ file: MediaRow } | { duplicate: DuplicateOf }) & {
  /** The file that a clip became which is not this photo's. */
  separateClip?: StoredUpload
}

/** What can be refused before anything is stored. */
export async function detectOrRefuse(
  { db }: Pick<StoreUploadDeps, 'db'>,
  { name, original, folderId }: Pick<IncomingFile, 'name' | 'original' | 'folderId'>,
): Promise<DetectedFormat> {
  if (original.size === 0) throw new AppError('not_a_photo_or_video', `${name} is empty.`)
  const recognised = await detectFormat(original.path)
  if (recognised?.kind !== 'image' && (await isAudioOnly(original.path))) throw soundOnly(name)
  if (!recognised) throw new AppError('not_a_photo_or_video', `${name} is neither a photo nor a video.`)
  if (folderId !== null && !(await folderExists(db.query, folderId))) throw noSuchFolder()
  return recognised
}

/** The refusal of a file that holds sound alone. */
export function soundOnly(name: string): AppError {
  return new AppError(
    'not_a_photo_or_video',
    `“${name}” holds sound but no picture, so it can't be kept as a photo or video.`,
  )
}

/** Throws unless the uploader and the folder are still there. Holds on to the folder until the transaction ends. */
export async function requireFolderAndUploader(
  db: Database,
  tx: Tx,
  { uploaderId, folderId }: IncomingFile,
): Promise<void> {
  if (folderId !== null) {
    await db.advisoryLock(tx, 'folders')
    if (!(await folderExists(tx, folderId))) throw noSuchFolder()
  }
  // Revoked while the bytes were on their way: then they are nobody's.
  if (!(await isApproved(tx, uploaderId))) throw new AppError('not_signed_in', 'Please sign in.')
}

/** The library came to hold these very bytes in the meantime. */
export class LostRace extends Error {}

function noSuchFolder(): AppError {
  return new AppError('not_found', 'There is no such folder any more.')
}
