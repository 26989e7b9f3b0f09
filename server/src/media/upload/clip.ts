import { recordAudit } from '../../audit/public.ts'
import type { MediaPartRow } from '../../db/schema.ts'
import { AppError } from '../../kit/errors.ts'
import { createHasher } from '../../processing/hash.ts'
import { type DetectedFormat, detectFormat } from '../../processing/recognise.ts'
import { isAudioOnly } from '../../processing/structure/sound-only.ts'
import { announceFiles } from '../announce.ts'
import { storeThenCommit } from '../keep.ts'
import { clearPending } from '../loose-keys.sql.ts'
import { findMedia, insertParts, lockActiveMedia, part } from '../media.sql.ts'
import { type IncomingFile, LostRace, type StoredUpload, type StoreUploadDeps, soundOnly } from './arrival.ts'
import { planClip } from './plan.ts'
import type { ReceivedFile } from './receive.ts'

/** What a Live Photo's clip is. Refuses what is none, before anything is stored. */
export async function detectClip(name: string, still: DetectedFormat, clip: ReceivedFile): Promise<DetectedFormat> {
  if (still.kind !== 'image') throw new AppError('invalid', `${name} is no photo, and so has no clip beside it.`)
  const recognised = clip.size > 0 ? await detectFormat(clip.path) : undefined
  if (recognised?.kind !== 'video') throw new AppError('not_a_photo_or_video', `The clip of ${name} is not a video.`)
  if (await isAudioOnly(clip.path)) throw soundOnly(clip.name)
  return recognised
}

/**
 * Gives a photo its clip, where the library held the photo without one. False where it has another clip already, or is
 * gone: this one must not be lost.
 */
export async function attachClip(deps: StoreUploadDeps, arrival: IncomingFile, taken: StoredUpload): Promise<boolean> {
  if (!arrival.clip) return true
  const { db, clock } = deps
  const { id } = 'file' in taken ? taken.file : taken.duplicate
  const held = await part(db.query, id, 'motion')
  if (held) return isSameClip(deps, held, arrival.clip.file)
  // The clip inside a motion photo plays: another one would not be shown.
  if ((await findMedia(db.query, id))?.motion_part) return false
  const { path, ...clip } = planClip(clock(), arrival, arrival.clip)
  try {
    await storeThenCommit(deps, [{ key: clip.key, path }], () =>
      db.transaction(async tx => {
        const [file] = await lockActiveMedia(db, tx, [id])
        // The clip inside a motion photo may have been found since.
        if (!file || file.motion_part || (await part(tx, id, 'motion'))) throw new LostRace()
        await insertParts(tx, [{ ...clip, media_id: id }])
        await clearPending(tx, [clip.key])
        const line = { at: clock(), actorId: arrival.uploaderId, act: 'media.add-clip' as const }
        await recordAudit(tx, [{ ...line, subject: { type: 'media', id } }])
        await deps.prepare(tx, file)
        await announceFiles(db, tx, [id])
      }),
    )
    return true
  } catch (error) {
    if (!(error instanceof LostRace)) throw error
    const other = await part(db.query, id, 'motion')
    if (other && (await isSameClip(deps, other, arrival.clip.file))) return true
    // Its bytes were given up with the attempt to store them.
    throw new AppError('conflict', 'This photo changed while its clip was being stored. Please try again.')
  }
}

async function isSameClip(
  { storage }: StoreUploadDeps,
  held: Pick<MediaPartRow, 'key' | 'size'>,
  clip: ReceivedFile,
): Promise<boolean> {
  if (held.size !== clip.size) return false
  const hasher = createHasher()
  for await (const chunk of (await storage.read(held.key)).stream) hasher.update(chunk)
  return hasher.digest() === clip.hash
}
