import { randomUUID } from 'node:crypto'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type { correctPlaces as correctPlacesEndpoint } from '#contract/places.ts'
import { recordAudit } from '../audit/public.ts'
import type { Tx } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { announceFiles } from './announce.ts'
import type { EditDeps } from './edit.ts'
import { lockActiveMedia } from './media.sql.ts'
import {
  correctPlaceRows,
  idsOfPlaceChange,
  idsWithCorrectedPlace,
  type NewPlace,
  restorePlaceRows,
  selectPlaces,
} from './place-corrections.sql.ts'
import type { MediaTools } from './prepare/tools.ts'

interface CorrectDeps extends EditDeps {
  tools: Pick<MediaTools, 'placeName'>
}

/**
 * Sets or clears the place of many files, or gives them back that of the camera. Ignores files that are deleted, and for
 * the latter those that have it.
 */
export async function correctPlaces(
  { db, clock, tools }: CorrectDeps,
  actorId: number,
  { fileIds, place }: ParsedInput<typeof correctPlacesEndpoint>['body'],
): Promise<Answer<typeof correctPlacesEndpoint>> {
  // Before the transaction, because the gazetteer is another process.
  const corrected = await namePlace(tools, place)
  const changeId = randomUUID()
  return db.transaction(async tx => {
    const active = (await lockActiveMedia(db, tx, fileIds)).map(file => file.id)
    const ids = place === 'camera' ? [...(await idsWithCorrectedPlace(tx, active))] : active
    const at = clock()
    await audit(tx, { actorId, at }, ids)
    await correctPlaceRows(tx, ids, { ...corrected, by: actorId, at, changeId })
    await announceFiles(db, tx, ids)
    return { changed: ids.length, change_id: changeId, location: corrected.location }
  })
}

async function namePlace(
  tools: CorrectDeps['tools'],
  place: ParsedInput<typeof correctPlacesEndpoint>['body']['place'],
): Promise<NewPlace> {
  const nowhere = { latitude: null, longitude: null, location: null }
  if (place === 'camera') return { kind: 'camera', ...nowhere }
  if (place === null) return { kind: 'none', ...nowhere }
  const { latitude, longitude } = place
  return { kind: 'set', latitude, longitude, location: (await tools.placeName(latitude, longitude)) ?? null }
}

/** Undoes a correction for all its files at once, except those that somebody has corrected or deleted since. */
export async function undoPlaces(
  { db, clock }: EditDeps,
  actorId: number,
  changeId: string,
): Promise<{ restored: number }> {
  return db.transaction(async tx => {
    const locked = await lockActiveMedia(db, tx, await idsOfPlaceChange(tx, changeId, actorId))
    // Read again: somebody may have corrected a file before it was locked.
    const still = new Set(await idsOfPlaceChange(tx, changeId, actorId))
    const ids = locked.map(file => file.id).filter(id => still.has(id))
    if (ids.length === 0) throw new AppError('conflict', 'Their place has been changed since.')
    await audit(tx, { actorId, at: clock() }, ids)
    await restorePlaceRows(tx, ids)
    await announceFiles(db, tx, ids)
    return { restored: ids.length }
  })
}

async function audit(tx: Tx, { actorId, at }: { actorId: number; at: number }, ids: readonly number[]): Promise<void> {
  const places = await selectPlaces(tx, ids)
  await recordAudit(
    tx,
    ids.map(id => {
      return { at, actorId, act: 'media.place', subject: { type: 'media', id }, before: places.get(id) ?? null }
    }),
  )
}
