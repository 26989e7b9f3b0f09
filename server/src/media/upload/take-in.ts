import type { DuplicateOf } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { recordAudit } from '../../audit/public.ts'
import type { Database } from '../../db/database.ts'
import type { MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { cameraName } from '../../processing/metadata.ts'
import { type Recognised, recognise } from '../../processing/recognise.ts'
import type { Storage } from '../../storage/storage.ts'
import { columnsFor, takenBy } from '../columns.ts'
import { count } from '../counts.sql.ts'
import { keepFiles } from '../keep.ts'
import { settleKeys } from '../loose-keys.sql.ts'
import { folderExists, insertMedia, insertParts, isApproved } from '../media.sql.ts'
import type { ClientPictures } from './client-variants.ts'
import { takeAsHeld } from './held.ts'
import { type Plan, planParts } from './plan.ts'
import type { ReceivedFile } from './receive.ts'

export interface TakeInDeps {
  db: Database
  storage: Storage
  clock: Clock
  /** Asks for what is still to be made: pictures, a video that plays, what the camera wrote. */
  prepare(tx: Tx, media: MediaRow): Promise<void>
}

/** A file whose bytes are all here, checked as far as they can be before anyone is asked to wait for more. */
export interface Arrival {
  name: string
  original: ReceivedFile
  metadata: PhotoMetadata | null
  folderId: number | null
  fileDate: number | null
  uploaderId: number
  /** A client's version that browsers show, where the original is not one. */
  shown: ReceivedFile | undefined
  pictures: ClientPictures
}

export type TakenIn = { file: MediaRow } | { duplicate: DuplicateOf }

/** Stores the bytes and makes them a file of the library, wholly or not at all. */
export async function takeIn(deps: TakeInDeps, arrival: Arrival): Promise<TakenIn> {
  const { db } = deps
  const recognised = await recogniseOrRefuse(deps, arrival)
  for (let tries = 0; tries < 2; tries++) {
    try {
      // Looked up before anything is stored; the unique hash settles the race of two who send the same at once.
      const held = await takeAsHeld(deps, arrival, recognised)
      if (held) return held
      const plan = planParts(deps.clock(), arrival, recognised)
      return {
        file: await keepFiles(deps, plan.parts, () => db.write(tx => addRow(deps, tx, arrival, recognised, plan))),
      }
    } catch (error) {
      if (!(error instanceof AlreadyHeld)) throw error
    }
  }
  throw new AppError('conflict', 'These very bytes came and went while they were being stored. Please try again.')
}

/** What can be refused before anything is stored. */
export async function recogniseOrRefuse(
  { db }: Pick<TakeInDeps, 'db'>,
  { name, original, folderId }: Pick<Arrival, 'name' | 'original' | 'folderId'>,
): Promise<Recognised> {
  const recognised = original.size > 0 ? await recognise(original.path) : undefined
  if (!recognised) throw new AppError('not_a_photo_or_video', `${name} is neither a photo nor a video.`)
  if (folderId !== null && !(await folderExists(db.read, folderId))) throw noSuchFolder()
  return recognised
}

/** Throws unless the uploader and the folder are still there. Holds on to the folder until the transaction ends. */
export async function admit(db: Database, tx: Tx, { uploaderId, folderId }: Arrival): Promise<void> {
  if (folderId !== null) {
    await db.serialise(tx, 'folders')
    if (!(await folderExists(tx, folderId))) throw noSuchFolder()
  }
  // Revoked while the bytes were on their way: then they are nobody's.
  if (!(await isApproved(tx, uploaderId))) throw new AppError('not_signed_in', 'Please sign in.')
}

async function addRow(
  deps: TakeInDeps,
  tx: Tx,
  arrival: Arrival,
  recognised: Recognised,
  plan: Plan,
): Promise<MediaRow> {
  await admit(deps.db, tx, arrival)
  const media = await insertMedia(tx, newRow(deps.clock(), arrival, recognised, plan))
  if (!media) throw new AlreadyHeld()
  await insertParts(
    tx,
    plan.parts.map(({ path, ...part }) => ({ ...part, media_id: media.id })),
  )
  await settleKeys(
    tx,
    plan.parts.map(part => part.key),
  )
  await count(tx, [media], 1)
  await recordAudit(tx, [
    {
      at: media.uploaded_at,
      actorId: arrival.uploaderId,
      act: 'media.upload',
      subject: { type: 'media', id: media.id },
    },
  ])
  await deps.prepare(tx, media)
  return media
}

function newRow(now: number, arrival: Arrival, recognised: Recognised, plan: Plan): NewMedia {
  const { name, metadata, pictures } = arrival
  return {
    ...columnsFor({
      name,
      metadata,
      taken: takenBy(metadata),
      location: null,
      camera: cameraName(metadata?.make, metadata?.model),
      fileDate: arrival.fileDate,
      uploadedAt: now,
    }),
    original_name: name,
    file_type: recognised.kind,
    format: recognised.format,
    mime_type: recognised.mime,
    file_size: arrival.original.size,
    hash: arrival.original.hash,
    uploaded_at: now,
    uploaded_by: arrival.uploaderId,
    folder_id: arrival.folderId,
    width: pictures.width ?? metadata?.originalWidth ?? null,
    height: pictures.height ?? metadata?.originalHeight ?? null,
    thumbhash: pictures.thumbhash,
    shown_part: plan.shownPart,
    version: 1,
    status: plan.complete ? 'ready' : 'processing',
    progress: plan.complete ? null : 0,
  }
}

/** The library came to hold these very bytes in the meantime. */
export class AlreadyHeld extends Error {}

function noSuchFolder(): AppError {
  return new AppError('not_found', 'There is no such folder any more.')
}
