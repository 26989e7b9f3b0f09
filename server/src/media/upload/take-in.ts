import { recordAudit } from '../../audit/public.ts'
import type { MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import { AppError } from '../../kit/errors.ts'
import { cameraName } from '../../processing/metadata.ts'
import type { Recognised } from '../../processing/recognise.ts'
import { announceFiles } from '../announce.ts'
import { columnsFor, takenBy } from '../columns.ts'
import { count } from '../counts.sql.ts'
import { keepFiles } from '../keep.ts'
import { settleKeys } from '../loose-keys.sql.ts'
import { insertMedia, insertParts } from '../media.sql.ts'
import {
  AlreadyHeld,
  type Arrival,
  type ArrivedClip,
  admit,
  recogniseOrRefuse,
  type TakeInDeps,
  type TakenIn,
} from './arrival.ts'
import { joinClip } from './clip.ts'
import { takeAsHeld } from './held.ts'
import { type Plan, planParts } from './plan.ts'

/** Takes in a file; and beside it, as a file of its own, a clip that is not its own. */
export async function takeIn(deps: TakeInDeps, arrival: Arrival): Promise<TakenIn> {
  const { clip, ...alone } = arrival
  if (!clip) return (await takeFile(deps, alone)).taken
  const { taken, isNew } = await takeFile(deps, clip.belongs ? arrival : alone)
  if (clip.belongs && (isNew || (await joinClip(deps, arrival, taken)))) return taken
  return { ...taken, separateClip: (await takeFile(deps, asFile(arrival, clip))).taken }
}

/** Stores the bytes and makes them a file of the library, wholly or not at all. */
async function takeFile(deps: TakeInDeps, arrival: Arrival): Promise<{ taken: TakenIn; isNew: boolean }> {
  const { db } = deps
  const recognised = await recogniseOrRefuse(deps, arrival)
  for (let tries = 1; ; tries++) {
    try {
      // Looked up before anything is stored; the unique hash settles the race of two who send the same at once.
      const held = await takeAsHeld(deps, arrival, recognised)
      if (held) return { taken: held, isNew: false }
      if (tries > 1) throw new AppError('conflict', CAME_AND_WENT)
      const plan = planParts(deps.clock(), arrival, recognised)
      const add = () => db.transaction(tx => addRow(deps, tx, arrival, recognised, plan))
      return { taken: { file: await keepFiles(deps, plan.parts, add) }, isNew: true }
    } catch (error) {
      if (!(error instanceof AlreadyHeld)) throw error
    }
  }
}

/** A clip that is uploaded with a photo and has nothing to do with it. */
function asFile({ uploaderId, folderId }: Arrival, { file, name, fileDate }: ArrivedClip): Arrival {
  const pictures = { variants: new Map(), width: null, height: null, thumbhash: null }
  return { name, original: file, metadata: null, folderId, fileDate, uploaderId, shown: undefined, pictures }
}

const CAME_AND_WENT = 'These very bytes came and went while they were being stored. Please try again.'

async function addRow(
  deps: TakeInDeps,
  tx: Tx,
  arrival: Arrival,
  recognised: Recognised,
  plan: Plan,
): Promise<MediaRow> {
  await admit(deps.db, tx, arrival)
  const media = await insertMedia(tx, newRow(deps, arrival, recognised, plan))
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
  await announceFiles(deps.db, tx, [media.id])
  return media
}

function newRow({ clock, tools }: TakeInDeps, arrival: Arrival, recognised: Recognised, plan: Plan): NewMedia {
  const now = clock()
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
