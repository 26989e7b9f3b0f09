import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type { correctPlaces as correctPlacesEndpoint } from '#contract/places.ts'
import { recordChange, type UndoKind } from '../changes/public.ts'
import { announceFiles } from './announce.ts'
import type { EditDeps } from './edit.ts'
import { type LockedMedia, lockActiveMedia } from './media.sql.ts'
import {
  correctPlaceRows,
  type NewPlace,
  PlaceBefore,
  restorePlaceRows,
  selectPlacesBefore,
} from './place-corrections.sql.ts'
import type { MediaTools } from './prepare/tools.ts'

interface CorrectPlacesDeps extends EditDeps {
  tools: Pick<MediaTools, 'placeName'>
}

/**
 * Sets or clears the place of many files, or gives them back that of the camera. Ignores files that are deleted, and for
 * the latter those that have it.
 */
export async function correctPlaces(
  { db, clock, tools }: CorrectPlacesDeps,
  actorId: number,
  { fileIds, place, continues }: ParsedInput<typeof correctPlacesEndpoint>['body'],
): Promise<Answer<typeof correctPlacesEndpoint>> {
  // Before the transaction, because the gazetteer is another process.
  const corrected = await namePlace(tools, place)
  return db.bulkTransaction(fileIds.length, async tx => {
    const active = await lockActiveMedia(db, tx, fileIds)
    const before = await selectPlacesBefore(tx, idsOf(active))
    const isChanged = ({ id }: LockedMedia) => place !== 'camera' || isCorrected(before.get(id))
    const files = active.filter(isChanged)
    const at = clock()
    await correctPlaceRows(tx, idsOf(files), { ...corrected, by: actorId, at })
    const change_id = await recordChange(tx, {
      ...{ act: 'media.place', field: 'place', actorId, at, continues },
      files: files.map(({ id, file_type }) => ({ id, file_type, before: before.get(id) })),
    })
    await announceFiles(db, tx, idsOf(files))
    return { changed: files.length, change_id, location: corrected.location }
  })
}

function isCorrected(before: PlaceBefore | undefined): boolean {
  return before?.correction != null && before.correction.kind !== 'camera'
}

function idsOf(files: readonly { id: number }[]): number[] {
  return files.map(({ id }) => id)
}

async function namePlace(
  tools: CorrectPlacesDeps['tools'],
  place: ParsedInput<typeof correctPlacesEndpoint>['body']['place'],
): Promise<NewPlace> {
  const nowhere = { latitude: null, longitude: null, location: null }
  if (place === 'camera') return { kind: 'camera', ...nowhere }
  if (place === null) return { kind: 'none', ...nowhere }
  const { latitude, longitude } = place
  return { kind: 'set', latitude, longitude, location: (await tools.placeName(latitude, longitude)) ?? null }
}

/** Gives files back the place that they had. */
export function undoPlaces({ db }: Pick<EditDeps, 'db'>): UndoKind {
  return async (tx, { fileIds, filesBefore }) => {
    const locked = await lockActiveMedia(db, tx, fileIds)
    const befores = await filesBefore(idsOf(locked))
    const restored = [...befores].map(([id, before]) => ({ id, correction: PlaceBefore.parse(before).correction }))
    await restorePlaceRows(tx, restored)
    await announceFiles(db, tx, idsOf(restored))
    return idsOf(restored)
  }
}
