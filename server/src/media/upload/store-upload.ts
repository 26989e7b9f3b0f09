import type { DuplicateOf } from '#contract/media.ts'
import { recordAudit } from '../../audit/public.ts'
import type { Database } from '../../db/database.ts'
import type { MediaPartRow, MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { createHasher } from '../../processing/hash.ts'
import { cameraName } from '../../processing/metadata.ts'
import { findMissingEnd } from '../../processing/structure/completeness/find-missing-end.ts'
import type { MissingEnd } from '../../processing/structure/completeness/missing-end.ts'
import type { Storage } from '../../storage/storage.ts'
import { announceFiles } from '../announce.ts'
import { mediaColumns, modifiedAtByClient, takenAtByClient } from '../columns.ts'
import { updateCounts } from '../counts.sql.ts'
import { hiddenColumns } from '../hidden-files.sql.ts'
import { damageColumns } from '../incomplete.ts'
import {
  asDuplicate,
  deleteParts,
  findDuplicates,
  findMedia,
  findPart,
  folderExists,
  insertMedia,
  insertParts,
  isApproved,
  lockActiveMedia,
  lockMediaByHash,
  lockMediaById,
  updateMedia,
} from '../media.sql.ts'
import { watchedKey } from '../object-keys.ts'
import { clearPending, markForRemoval } from '../pending-objects.sql.ts'
import type { QueuedMedia } from '../prepare/jobs.ts'
import type { MediaTools } from '../prepare/tools.ts'
import { storeThenCommit } from '../store-files.ts'
import { type IncomingClip, type IncomingFile, noPictures, noSuchFolder } from './check-upload.ts'
import { clipPart, keyStemFor, originalPart, type Plan, planParts } from './plan-parts.ts'
import type { ReceivedFile } from './upload-form.ts'

export interface StoreUploadDeps {
  db: Database
  storage: Storage
  clock: Clock
  tools: Pick<MediaTools, 'homeTimeZone'>
  /** Queues the jobs that make variants, convert videos and extract metadata. */
  prepare(tx: Tx, media: QueuedMedia): Promise<void>
}

export type StoredUpload = ({ file: MediaRow } | { duplicate: DuplicateOf }) & {
  /** The clip that was sent with a photo and stored as a separate file. */
  separateClip?: StoredUpload
}

export function mediaIdOf(stored: StoredUpload): number {
  return 'file' in stored ? stored.file.id : stored.duplicate.id
}

/** Stores a file with its clip or, if the clip does not belong to it, stores the clip as a separate file. */
export async function storeUpload(deps: StoreUploadDeps, incoming: IncomingFile): Promise<StoredUpload> {
  const { clip, ...alone } = incoming
  if (!clip) return (await storeFile(deps, alone)).stored
  const { stored, isNew } = await storeFile(deps, clip.belongs ? incoming : alone)
  if (clip.belongs && (isNew || (await attachClip(deps, incoming, clip, stored)))) return stored
  return { ...stored, separateClip: (await storeFile(deps, separateFile(incoming, clip))).stored }
}

/** Stores the bytes and inserts the media row: both or neither. */
async function storeFile(
  deps: StoreUploadDeps,
  incoming: IncomingFile,
): Promise<{ stored: StoredUpload; isNew: boolean }> {
  const { db } = deps
  for (let attempt = 1; ; attempt++) {
    try {
      // Duplicates are looked up before anything is stored. The unique index on the hash decides between two uploads of
      // the same bytes at the same time.
      const duplicate = await resolveDuplicate(deps, incoming)
      if (duplicate) return { stored: duplicate, isNew: false }
      if (attempt > 1) throw new AppError('conflict', 'upload.deletedMeanwhile')
      const plan = planParts(deps.clock(), incoming)
      const missing = await missingEndOf(incoming)
      const insert = () => db.transaction(tx => insertFile(deps, tx, incoming, plan, missing))
      return { stored: { file: await storeThenCommit(deps, plan.parts, insert) }, isNew: true }
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
    }
  }
}

/** Stores a file that a guest sent, which no list shows. `commit` belongs to the transaction that inserts it. */
export async function storeHidden(
  deps: StoreUploadDeps,
  incoming: IncomingFile,
  commit: (tx: Tx, media: MediaRow) => Promise<void>,
): Promise<void> {
  const plan = planParts(deps.clock(), incoming)
  const missing = await missingEndOf(incoming)
  await storeThenCommit(deps, plan.parts, () =>
    deps.db.transaction(async tx => {
      const hidden = hiddenColumns(incoming.original.hash)
      const media = await insertMedia(tx, { ...newMedia(deps, incoming, plan, missing), ...hidden })
      if (!media) throw new Error('Another file of a guest has the same suffix')
      await insertPlanned(tx, media, plan)
      await deps.prepare(tx, media)
      await commit(tx, media)
    }),
  )
}

/**
 * Adds a file of a watched folder: its original and clip stay where they are. `commit` belongs to the transaction that
 * inserts it. Throws if the library has these bytes already.
 */
export async function storeInPlace(
  deps: StoreUploadDeps,
  incoming: IncomingFile,
  commit: (tx: Tx, media: MediaRow) => Promise<void>,
): Promise<MediaRow> {
  const planned = planParts(deps.clock(), incoming)
  const parts = planned.parts.map(part => (part.kind === 'sidecar' ? part : { ...part, key: watchedKey(part.key) }))
  const missing = await missingEndOf(incoming)
  const copied = parts.filter(part => part.kind === 'sidecar')
  return storeThenCommit(deps, copied, () =>
    deps.db.transaction(async tx => {
      const media = await insertFile(deps, tx, incoming, { ...planned, parts }, missing)
      await commit(tx, media)
      return media
    }),
  )
}

/** A file of a watched folder has other bytes now: it is read again, and everything is made of it again. */
export async function replaceInPlace(
  deps: StoreUploadDeps,
  incoming: IncomingFile,
  mediaId: number,
  commit: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { db, clock } = deps
  const { path, ...planned } = originalPart(keyStemFor(incoming, clock()), incoming)
  const original = { ...planned, key: watchedKey(planned.key) }
  const missing = await missingEndOf(incoming)
  const { format, fileDate } = incoming
  await db.transaction(async tx => {
    const media = await lockMediaById(db, tx, mediaId)
    if (!media) return
    await markForRemoval(tx, await deleteParts(tx, mediaId, ['original']), clock())
    await insertParts(tx, [{ ...original, media_id: mediaId }])
    const change = {
      ...{ hash: incoming.original.hash, file_size: incoming.original.size, file_date: fileDate },
      ...{ file_type: format.kind, format: format.format, mime_type: format.mime, ...damageColumns(missing) },
      ...({ status: 'processing', progress: 0, failure_reason: null, failed_at: null } as const),
      ...{ verified_at: null, damaged_at: null, missing_at: null },
      shown_part: format.kind === 'image' && format.browserShows ? ('original' as const) : null,
    }
    if (media.deleted_at === null) await updateCounts(tx, [media], -1)
    await updateMedia(tx, mediaId, change)
    if (media.deleted_at === null) await updateCounts(tx, [{ ...media, ...change }], 1)
    await deps.prepare(tx, media)
    await announceFiles(db, tx, [mediaId])
    await commit(tx)
  })
}

/** Another request changed the same file while this one stored its bytes. */
class LostRace extends Error {}

function separateFile({ uploaderId, folderId }: IncomingFile, { file, format, name, fileDate }: IncomingClip) {
  const nothing = { metadata: null, converted: undefined, pictures: noPictures }
  return { name, original: file, format, folderId, fileDate, uploaderId, ...nothing }
}

/** Throws unless the uploader is still approved and the folder exists. Locks the folder until the transaction ends. */
async function requireFolderAndUploader(db: Database, tx: Tx, { uploaderId, folderId }: IncomingFile): Promise<void> {
  if (folderId !== null) {
    await db.advisoryLock(tx, 'folders')
    if (!(await folderExists(tx, folderId))) throw noSuchFolder()
  }
  // Access may have been revoked while the bytes were being sent.
  if (!(await isApproved(tx, uploaderId))) throw new AppError('not_signed_in', 'auth.signIn')
}

/**
 * Bytes that the library already has are not stored again: an active file is reported as the duplicate, a deleted one is
 * restored, and a damaged one is repaired with the bytes that arrived.
 */
async function resolveDuplicate(deps: StoreUploadDeps, incoming: IncomingFile): Promise<StoredUpload | undefined> {
  const { db } = deps
  const [active] = await findDuplicates(db.query, incoming.original.hash)
  if (active) return { duplicate: active }
  const found = await db.transaction(async tx => {
    await requireFolderAndUploader(db, tx, incoming)
    const media = await lockMediaByHash(db, tx, incoming.original.hash)
    if (!media) return undefined
    if (media.damaged_at !== null || media.missing_at !== null) return 'damaged'
    if (media.deleted_at === null) return { duplicate: asDuplicate(media) }
    return { file: await restoreDeleted(deps, tx, incoming, media) }
  })
  return found === 'damaged' ? replaceDamaged(deps, incoming) : found
}

async function restoreDeleted(
  { db, clock }: StoreUploadDeps,
  tx: Tx,
  { folderId: folder_id, uploaderId }: IncomingFile,
  media: MediaRow,
): Promise<MediaRow> {
  const change = { folder_id, deleted_at: null, deleted_by: null }
  await updateMedia(tx, media.id, change)
  await updateCounts(tx, [{ ...media, folder_id }], 1)
  await recordAudit(tx, [
    {
      at: clock(),
      actorId: uploaderId,
      act: 'media.restore',
      subject: { type: 'media', id: media.id },
      before: { deleted_at: media.deleted_at, folder_id: media.folder_id },
    },
  ])
  await announceFiles(db, tx, [media.id])
  return { ...media, ...change }
}

/** Replaces the stored original of a damaged file, or of one that is missing in its watched folder. */
async function replaceDamaged(deps: StoreUploadDeps, incoming: IncomingFile): Promise<StoredUpload> {
  const { db, clock } = deps
  const { path, ...original } = originalPart(keyStemFor(incoming, clock()), incoming)
  const file = await storeThenCommit(deps, [{ key: original.key, path }], () =>
    db.transaction(async tx => {
      await requireFolderAndUploader(db, tx, incoming)
      const media = await lockMediaByHash(db, tx, incoming.original.hash)
      // Purged, or repaired by another upload, while these bytes were being stored.
      if (!media || (media.damaged_at === null && media.missing_at === null)) throw new LostRace()
      await markForRemoval(tx, await deleteParts(tx, media.id, ['original']), clock())
      await insertParts(tx, [{ ...original, media_id: media.id }])
      await clearPending(tx, [original.key])
      const repaired = { damaged_at: null, missing_at: null, verified_at: clock() }
      await updateMedia(tx, media.id, repaired)
      await recordAudit(tx, [
        {
          at: clock(),
          actorId: incoming.uploaderId,
          act: 'media.repair',
          subject: { type: 'media', id: media.id },
          before: { damaged_at: media.damaged_at },
        },
      ])
      if (media.status !== 'ready' || media.partly_damaged === 1) await deps.prepare(tx, media)
      await announceFiles(db, tx, [media.id])
      const row = { ...media, ...repaired }
      return media.deleted_at === null ? row : restoreDeleted(deps, tx, incoming, row)
    }),
  )
  return { file }
}

/**
 * Adds the clip to a photo that the library had without one. False when the photo has another clip already, so that the
 * caller stores this one separately.
 */
async function attachClip(
  deps: StoreUploadDeps,
  incoming: IncomingFile,
  clip: IncomingClip,
  stored: StoredUpload,
): Promise<boolean> {
  const { db, clock } = deps
  const id = mediaIdOf(stored)
  const existing = await findPart(db.query, id, 'motion')
  if (existing) return isSameClip(deps, existing, clip.file)
  // A motion photo plays the clip that is embedded in it; another one would never be shown.
  if ((await findMedia(db.query, id))?.motion_part) return false
  const { path, ...part } = clipPart(keyStemFor(incoming, clock()), clip)
  try {
    await storeThenCommit(deps, [{ key: part.key, path }], () =>
      db.transaction(async tx => {
        const [media] = await lockActiveMedia(db, tx, [id])
        // The clip inside a motion photo may have been found since.
        if (!media || media.motion_part || (await findPart(tx, id, 'motion'))) throw new LostRace()
        await insertParts(tx, [{ ...part, media_id: id }])
        await clearPending(tx, [part.key])
        const line = { at: clock(), actorId: incoming.uploaderId, act: 'media.add-clip' as const }
        await recordAudit(tx, [{ ...line, subject: { type: 'media', id } }])
        await deps.prepare(tx, media)
        await announceFiles(db, tx, [id])
      }),
    )
    return true
  } catch (error) {
    if (!(error instanceof LostRace)) throw error
    const other = await findPart(db.query, id, 'motion')
    if (other && (await isSameClip(deps, other, clip.file))) return true
    // The failed attempt to store the clip has removed its bytes, so it cannot be stored separately now.
    throw new AppError('conflict', 'upload.clipMeanwhile')
  }
}

async function isSameClip(
  { storage }: StoreUploadDeps,
  stored: Pick<MediaPartRow, 'key' | 'size'>,
  clip: ReceivedFile,
): Promise<boolean> {
  if (stored.size !== clip.size) return false
  const hasher = createHasher()
  for await (const chunk of (await storage.read(stored.key)).stream) hasher.update(chunk)
  return hasher.digest() === clip.hash
}

/** Before the upload is acknowledged: a family deletes a photo on the phone once it is safe here. */
function missingEndOf({ original, format }: IncomingFile): Promise<MissingEnd | undefined> {
  return findMissingEnd(original.path, format.format)
}

async function insertFile(
  deps: StoreUploadDeps,
  tx: Tx,
  incoming: IncomingFile,
  plan: Plan,
  missing: MissingEnd | undefined,
): Promise<MediaRow> {
  await requireFolderAndUploader(deps.db, tx, incoming)
  const media = await insertMedia(tx, newMedia(deps, incoming, plan, missing))
  if (!media) throw new LostRace()
  const { id } = media
  await insertPlanned(tx, media, plan)
  await updateCounts(tx, [media], 1)
  const line = { at: media.uploaded_at, actorId: incoming.uploaderId, act: 'media.upload' as const }
  await recordAudit(tx, [{ ...line, subject: { type: 'media', id } }])
  await deps.prepare(tx, media)
  await announceFiles(deps.db, tx, [id])
  return media
}

async function insertPlanned(tx: Tx, { id }: MediaRow, { parts }: Plan): Promise<void> {
  await insertParts(
    tx,
    parts.map(({ path, ...part }) => ({ ...part, media_id: id })),
  )
  await clearPending(
    tx,
    parts.map(part => part.key),
  )
}

function newMedia(
  { clock, tools }: StoreUploadDeps,
  incoming: IncomingFile,
  plan: Plan,
  missing: MissingEnd | undefined,
): NewMedia {
  const now = clock()
  const { name, format, metadata, pictures } = incoming
  return {
    ...mediaColumns({
      name,
      metadata,
      takenAt: takenAtByClient(metadata),
      modifiedAt: modifiedAtByClient(metadata),
      isVideo: format.kind === 'video',
      location: null,
      camera: cameraName(metadata?.make, metadata?.model),
      fileDate: incoming.fileDate,
      uploadedAt: now,
      homeTimeZone: tools.homeTimeZone,
    }),
    original_name: name,
    file_type: format.kind,
    format: format.format,
    mime_type: format.mime,
    file_size: incoming.original.size,
    hash: incoming.original.hash,
    uploaded_at: now,
    uploaded_by: incoming.uploaderId,
    folder_id: incoming.folderId,
    width: pictures.width ?? metadata?.originalWidth ?? null,
    height: pictures.height ?? metadata?.originalHeight ?? null,
    thumbhash: pictures.thumbhash,
    shown_part: plan.shownPart,
    ...damageColumns(missing),
    version: 1,
    status: plan.complete ? 'ready' : 'processing',
    progress: plan.complete ? null : 0,
  }
}
