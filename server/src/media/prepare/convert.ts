import type { MediaRow } from '../../db/schema.ts'
import type { RootFolder } from '../../kit/safe-path.ts'
import { announceFiles } from '../announce.ts'
import { setProgress } from '../media.sql.ts'
import { ready } from './image.ts'
import type { PrepareDeps } from './orders.ts'
import { keepPictures } from './pictures.ts'
import { makePlayable } from './playable.ts'

const TOLD_EVERY_MS = 2_000

/** Makes a version that every browser plays. */
export async function convert(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<void> {
  const onProgress = progressTeller(deps, media.id)
  const full = await makePlayable(deps, { path, folder, name: 'full', signal, onProgress })
  await keepPictures(deps, media, full ? [full] : [], { ...ready, shown_part: full ? 'full' : 'original' })
}

/** Stored now and then, for the people who watch the percentage. */
function progressTeller({ db, clock }: PrepareDeps, mediaId: number): (percent: number) => void {
  let last = clock()
  return percent => {
    if (clock() - last < TOLD_EVERY_MS) return
    last = clock()
    // The next one will do as well; a database that is away shows itself where it matters.
    db.write(async tx => {
      await setProgress(tx, mediaId, Math.min(percent, 99))
      await announceFiles(db, tx, [mediaId])
    }).catch(() => undefined)
  }
}
