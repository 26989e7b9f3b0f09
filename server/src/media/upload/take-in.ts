import { recordAudit } from '../../audit/public.ts'
import type { MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import { AppError } from '../../kit/errors.ts'
import { cameraName } from '../../processing/metadata.ts'
import type { DetectedFormat } from '../../processing/recognise.ts'
import { announceFiles } from '../announce.ts'
import { mediaColumns, takenAtByClient } from '../columns.ts'
import { updateCounts } from '../counts.sql.ts'
import { storeThenCommit } from '../keep.ts'
import { clearPending } from '../loose-keys.sql.ts'
import { insertMedia, insertParts } from '../media.sql.ts'
import {
  detectOrRefuse,
  type IncomingClip,
  type IncomingFile,
  LostRace,
  requireFolderAndUploader,
  type StoredUpload,
  type StoreUploadDeps,
} from './arrival.ts'
import { attachClip } from './clip.ts'
import { resolveDuplicate } from './held.ts'
import { type Plan, planParts } from './plan.ts'

/** Takes in a file; and beside it, as a file of its own, a clip that is not its own. */
export async function storeUpload(deps: StoreUploadDeps, arrival: IncomingFile): Promise<StoredUpload> {
  const { clip, ...alone } = arrival
  if (!clip) return (await storeFile(deps, alone)).taken
  const { taken, isNew } = await storeFile(deps, clip.belongs ? arrival : alone)
  if (clip.belongs && (isNew || (await attachClip(deps, arrival, taken)))) return taken
  return { ...taken, separateClip: (await storeFile(deps, separateFile(arrival, clip))).taken }
}

/** Stores the bytes and makes them a file of the library, wholly or not at all. */
async function storeFile(
  deps: StoreUploadDeps,
  arrival: IncomingFile,
): Promise<{ taken: StoredUpload; isNew: boolean }> {
  const { db } = deps
  const recognised = await detectOrRefuse(deps, arrival)
  for (let tries = 1; ; tries++) {
    try {
      // Looked up before anything is stored; the unique hash settles the race of two who send the same at once.
      const held = await resolveDuplicate(deps, arrival, recognised)
      if (held) return { taken: held, isNew: false }
      if (tries > 1) throw new AppError('conflict', CAME_AND_WENT)
      const plan = planParts(deps.clock(), arrival, recognised)
      const add = () => db.transaction(tx => insertFile(deps, tx, arrival, recognised, plan))
      return { taken: { file: await storeThenCommit(deps, plan.parts, add) }, isNew: true }
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
    }
  }
}

/** A clip that is uploaded with a photo and has nothing to do with it. */
function separateFile({ uploaderId, folderId }: IncomingFile, { file, name, fileDate }: IncomingClip): IncomingFile {
  const pictures = { variants: new Map(), width: null, height: null, thumbhash: null }
  return { name, original: file, metadata: null, folderId, fileDate, uploaderId, converted: undefined, pictures }
}

const CAME_AND_WENT = 'These very bytes came and went while they were being stored. Please try again.'

async function insertFile(
  deps: StoreUploadDeps,
  tx: Tx,
  arrival: IncomingFile,
  recognised: DetectedFormat,
  plan: Plan,
): Promise<MediaRow> {
  await requireFolderAndUploader(deps.db, tx, arrival)
  const media = await insertMedia(tx, newMedia(deps, arrival, recognised, plan))
  if (!media) throw new LostRace()
  await insertParts(
    tx,
    plan.parts.map(({ path, ...part }) => ({ ...part, media_id: media.id })),
  )
  await clearPending(
    tx,
    plan.parts.map(part => part.key),
  )
  await updateCounts(tx, [media], 1)
  await recordAudit(tx, [
    {
      at: media.uploaded_at,
      actorId: arrival.uploaderId,
      act: 'media.upload',
      subject: { type: 'media', id: media.id },
    },
  ])
  await deps.prepare(tx, media)
  await announceFiles(deps.db, tx, [media.id])
  return media
}

function newMedia(
  { clock, tools }: StoreUploadDeps,
  arrival: IncomingFile,
  recognised: DetectedFormat,
  plan: Plan,
): NewMedia {
  const now = clock()
  const { name, metadata, pictures } = arrival
  return {
    ...mediaColumns({
      name,
      metadata,
      takenAt: takenAtByClient(metadata),
      location: null,
      camera: cameraName(metadata?.make, metadata?.model),
      fileDate: arrival.fileDate,
      uploadedAt: now,
      homeTimeZone: tools.homeTimeZone,
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
