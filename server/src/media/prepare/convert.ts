import type { MediaRow, Tx } from '../../db/schema.ts'
import { PermanentFailure } from '../../jobs/queue.ts'
import type { RootFolder } from '../../kit/safe-path.ts'
import { announceFiles } from '../announce.ts'
import { part, setCompatibleProgress, setProgress, updateMedia } from '../media.sql.ts'
import type { PrepareDeps } from './orders.ts'
import { readyColumns, storeParts } from './pictures.ts'
import { makePlayable } from './playable.ts'

const REPORT_EVERY_MS = 2_000

/** Makes a version that every browser plays. */
export async function convert(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<void> {
  const onProgress = progressReporter(deps, media.id, setProgress)
  const { made: full, playbackType } = await makePlayable(deps, { path, folder, name: 'full', signal, onProgress })
  const shown = { shown_part: full ? 'full' : 'original', playback_type: playbackType } as const
  await storeParts(deps, media, full ? [full] : [], { ...readyColumns, ...shown })
}

/** Makes the version that somebody's device needs. A job that runs twice makes it once. */
export async function makeCompatible(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<void> {
  const nothingToDo = { compatible_progress: null, compatible_failure: null }
  if (await part(deps.db.query, media.id, 'compatible')) return storeParts(deps, media, [], nothingToDo)
  const onProgress = progressReporter(deps, media.id, setCompatibleProgress)
  const { made } = await makePlayable(deps, { path, folder, name: 'compatible', signal, onProgress })
  if (!made) throw new PermanentFailure('This video is in the form already that most devices can play.')
  await storeParts(deps, media, [made], nothingToDo)
}

/** Making it failed for good. The video itself still plays where it did. */
export async function compatibleFailed({ db }: PrepareDeps, tx: Tx, mediaId: number, reason: string): Promise<void> {
  await updateMedia(tx, mediaId, { compatible_progress: null, compatible_failure: reason })
  await announceFiles(db, tx, [mediaId])
}

/** Stored now and then, for the people who watch the percentage. */
function progressReporter(
  { db, clock }: PrepareDeps,
  mediaId: number,
  store: (tx: Tx, mediaId: number, percent: number) => Promise<void>,
): (percent: number) => void {
  let last = clock()
  return percent => {
    if (clock() - last < REPORT_EVERY_MS) return
    last = clock()
    // The next one will do as well; a database that is away shows itself where it matters.
    db.transaction(async tx => {
      await store(tx, mediaId, Math.min(percent, 99))
      await announceFiles(db, tx, [mediaId])
    }).catch(() => undefined)
  }
}
