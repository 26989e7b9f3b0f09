import type { DuplicateOf } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { recordAudit } from '../../audit/public.ts'
import type { Database } from '../../db/database.ts'
import type { MediaPartRow, MediaRow, NewMedia, PartKind, Tx } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { cameraName } from '../../processing/metadata.ts'
import { type Recognised, recognise } from '../../processing/recognise.ts'
import type { Storage } from '../../storage/storage.ts'
import { columnsFor, takenBy } from '../columns.ts'
import { count } from '../counts.sql.ts'
import { keepFiles } from '../keep.ts'
import { newStem, originalKey, partKey } from '../keys.ts'
import { settleKeys } from '../loose-keys.sql.ts'
import {
  duplicatesOf,
  folderExists,
  insertMedia,
  insertParts,
  isApproved,
  takeByHash,
  updateMedia,
} from '../media.sql.ts'
import type { ClientPictures } from './client-variants.ts'
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
  const recognised = await recogniseOrRefuse(arrival.original)
  const { db } = deps
  if (arrival.folderId !== null && !(await folderExists(db.read, arrival.folderId))) throw noSuchFolder()
  // Looked up before anything is stored; the unique hash settles the race of two who send the same at once.
  const known = await knownBytes(deps, arrival)
  if (known) return known

  const plan = planParts(deps.clock(), arrival, recognised)
  const added = await keepFiles(
    deps,
    plan.parts.map(part => ({ key: part.key, path: part.path })),
    () => db.write(tx => addRow(deps, tx, arrival, recognised, plan)),
  ).catch(error => {
    if (error instanceof AlreadyHeld) return undefined
    throw error
  })
  if (added) return { file: added }
  const other = await knownBytes(deps, arrival)
  if (other) return other
  throw new AppError('conflict', 'These very bytes came and went while they were being stored. Please try again.')
}

async function recogniseOrRefuse(original: ReceivedFile): Promise<Recognised> {
  const recognised = original.size > 0 ? await recognise(original.path) : undefined
  if (!recognised) throw new AppError('not_a_photo_or_video', `${original.name} is neither a photo nor a video.`)
  return recognised
}

/** Bytes that the library holds are not stored again: a live file is named, a deleted one comes back. */
async function knownBytes({ db, clock }: TakeInDeps, arrival: Arrival): Promise<TakenIn | undefined> {
  const [live] = await duplicatesOf(db.read, arrival.original.hash)
  if (live) return { duplicate: live }
  return db.write(async tx => {
    const held = await takeByHash(db, tx, arrival.original.hash)
    if (!held) return undefined
    if (held.deleted_at === null) return { duplicate: { id: held.id, original_name: held.original_name } }
    const restored = { ...held, folder_id: arrival.folderId, deleted_at: null, deleted_by: null }
    await updateMedia(tx, held.id, { folder_id: arrival.folderId, deleted_at: null, deleted_by: null })
    await count(tx, [restored], 1)
    await recordAudit(tx, [
      {
        at: clock(),
        actorId: arrival.uploaderId,
        act: 'media.restore',
        subject: { type: 'media', id: held.id },
        before: { deleted_at: held.deleted_at, folder_id: held.folder_id },
      },
    ])
    return { file: restored }
  })
}

interface PlannedPart extends Omit<MediaPartRow, 'media_id'> {
  path: string
}

interface Plan {
  parts: PlannedPart[]
  shownPart: MediaRow['shown_part']
  complete: boolean
}

/** Which files go where, and whether that is all the file will ever need. */
function planParts(now: number, arrival: Arrival, recognised: Recognised): Plan {
  const { original, shown } = arrival
  const { variants } = arrival.pictures
  const stem = newStem(arrival.name, keyDate(arrival, now))
  const parts: PlannedPart[] = [
    {
      kind: 'original',
      key: originalKey(stem, recognised.extension),
      path: original.path,
      size: original.size,
      mime_type: recognised.mime,
      width: null,
      height: null,
    },
  ]
  for (const [kind, variant] of variants) {
    parts.push({
      kind: kind satisfies PartKind,
      key: partKey(stem, kind, 1, variant.extension),
      path: variant.path,
      size: variant.size,
      mime_type: variant.mime,
      width: variant.width,
      height: variant.height,
    })
  }
  if (shown && recognised.kind === 'video') {
    // A client's conversion is kept for the job to look at; it is shown only once it proved whole.
    const key = partKey(stem, 'full', 1, 'mp4')
    parts.push({
      kind: 'full',
      key,
      path: shown.path,
      size: shown.size,
      mime_type: 'video/mp4',
      width: null,
      height: null,
    })
  }
  const image = recognised.kind === 'image'
  const shownPart = image && recognised.browserShows ? 'original' : image && variants.has('full') ? 'full' : null
  const complete =
    shownPart !== null && (['thumbnail', 'mobile', 'website', 'desktop'] as const).every(v => variants.has(v))
  return { parts, shownPart, complete }
}

/** Year and month under which the file stands in storage: the camera's, else the upload's. */
function keyDate({ metadata }: Arrival, now: number): Date {
  const taken = metadata?.dateTimeOriginal?.slice(0, 10)
  return taken ? new Date(`${taken}T00:00:00Z`) : new Date(now)
}

async function addRow(
  deps: TakeInDeps,
  tx: Tx,
  arrival: Arrival,
  recognised: Recognised,
  plan: Plan,
): Promise<MediaRow> {
  // Revoked while the bytes were on their way: then they are nobody's.
  if (!(await isApproved(tx, arrival.uploaderId))) throw new AppError('not_signed_in', 'Please sign in.')
  if (arrival.folderId !== null && !(await folderExists(tx, arrival.folderId))) throw noSuchFolder()
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

class AlreadyHeld extends Error {}

function noSuchFolder(): AppError {
  return new AppError('not_found', 'There is no such folder any more.')
}
