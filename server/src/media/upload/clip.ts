import { recordAudit } from '../../audit/public.ts'
import type { MediaPartRow } from '../../db/schema.ts'
import { AppError } from '../../kit/errors.ts'
import { createHasher } from '../../processing/hash.ts'
import { type Recognised, recognise } from '../../processing/recognise.ts'
import { holdsOnlySound } from '../../processing/structure/sound-only.ts'
import { announceFiles } from '../announce.ts'
import { keepFiles } from '../keep.ts'
import { settleKeys } from '../loose-keys.sql.ts'
import { insertParts, mediaById, part, takeLive } from '../media.sql.ts'
import { AlreadyHeld, type Arrival, onlySound, type TakeInDeps, type TakenIn } from './arrival.ts'
import { planClip } from './plan.ts'
import type { ReceivedFile } from './receive.ts'

/** What a Live Photo's clip is. Refuses what is none, before anything is stored. */
export async function recogniseClip(name: string, still: Recognised, clip: ReceivedFile): Promise<Recognised> {
  if (still.kind !== 'image') throw new AppError('invalid', `${name} is no photo, and so has no clip beside it.`)
  const recognised = clip.size > 0 ? await recognise(clip.path) : undefined
  if (recognised?.kind !== 'video') throw new AppError('not_a_photo_or_video', `The clip of ${name} is not a video.`)
  if (await holdsOnlySound(clip.path)) throw onlySound(clip.name)
  return recognised
}

/**
 * Gives a photo its clip, where the library held the photo without one. False where it has another clip already, or is
 * gone: this one must not be lost.
 */
export async function joinClip(deps: TakeInDeps, arrival: Arrival, taken: TakenIn): Promise<boolean> {
  if (!arrival.clip) return true
  const { db, clock } = deps
  const { id } = 'file' in taken ? taken.file : taken.duplicate
  const held = await part(db.query, id, 'motion')
  if (held) return isSameClip(deps, held, arrival.clip.file)
  // The clip inside a motion photo plays: another one would not be shown.
  if ((await mediaById(db.query, id))?.motion_part) return false
  const { path, ...clip } = planClip(clock(), arrival, arrival.clip)
  try {
    await keepFiles(deps, [{ key: clip.key, path }], () =>
      db.transaction(async tx => {
        const [file] = await takeLive(db, tx, [id])
        if (!file || (await part(tx, id, 'motion'))) throw new AlreadyHeld()
        await insertParts(tx, [{ ...clip, media_id: id }])
        await settleKeys(tx, [clip.key])
        const line = { at: clock(), actorId: arrival.uploaderId, act: 'media.add-clip' as const }
        await recordAudit(tx, [{ ...line, subject: { type: 'media', id } }])
        await deps.prepare(tx, file)
        await announceFiles(db, tx, [id])
      }),
    )
    return true
  } catch (error) {
    if (!(error instanceof AlreadyHeld)) throw error
    const other = await part(db.query, id, 'motion')
    if (other && (await isSameClip(deps, other, arrival.clip.file))) return true
    // Its bytes were given up with the attempt to store them.
    throw new AppError('conflict', 'This photo changed while its clip was being stored. Please try again.')
  }
}

async function isSameClip(
  { storage }: TakeInDeps,
  held: Pick<MediaPartRow, 'key' | 'size'>,
  clip: ReceivedFile,
): Promise<boolean> {
  if (held.size !== clip.size) return false
  const hasher = createHasher()
  for await (const chunk of (await storage.read(held.key)).stream) hasher.update(chunk)
  return hasher.digest() === clip.hash
}
