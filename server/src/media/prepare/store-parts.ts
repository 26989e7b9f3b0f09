import type { MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import { announceFiles } from '../announce.ts'
import { keepWrittenCaption } from '../captions.sql.ts'
import { keepCorrectedDate } from '../correct-dates.sql.ts'
import { deleteParts, findPart, insertParts, updateMedia, updateSearchText } from '../media.sql.ts'
import { keyStemOf, newPartSet } from '../object-keys.ts'
import { clearPending, markForRemoval } from '../pending-objects.sql.ts'
import { keepCorrectedPlace } from '../place-corrections.sql.ts'
import { type MadeFile, newPart, storeThenCommit } from '../store-files.ts'
import type { PrepareDeps } from './jobs.ts'

/** The columns of a file that is fully prepared. */
export const readyColumns = { status: 'ready', progress: null, failure_reason: null, failed_at: null } as const

/** Replaces the parts of the same kinds and updates the media row, in one transaction. */
export async function storeParts(
  deps: PrepareDeps,
  media: MediaRow,
  made: MadeFile[],
  change: Partial<NewMedia>,
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const { db, clock } = deps
  const original = await findPart(db.query, media.id, 'original')
  if (!original) return
  const version = media.version + 1
  const set = newPartSet(keyStemOf(original.key), version)
  const parts = made.map(file => newPart(set, file))
  const kinds = made.map(file => file.kind)
  const keys = parts.map(part => part.key)
  await storeThenCommit(deps, parts, () =>
    db.transaction(async tx => {
      await markForRemoval(tx, await deleteParts(tx, media.id, kinds), clock())
      await insertParts(
        tx,
        parts.map(({ path, ...part }) => ({ ...part, media_id: media.id })),
      )
      await clearPending(tx, keys)
      // Locks the row first, so that nobody corrects its place in between.
      const dated = await keepCorrectedDate(db, tx, media.id, change)
      const kept = await keepCorrectedPlace(tx, media.id, await keepWrittenCaption(db, tx, media.id, dated))
      await updateMedia(tx, media.id, { ...kept, ...(made.length > 0 ? { version } : {}) })
      // Read from the row again: the file may have been renamed since the job began.
      await updateSearchText(tx, media.id)
      await also(tx)
      await announceFiles(db, tx, [media.id])
    }),
  )
}
