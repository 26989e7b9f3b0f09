import { DAY } from '#contract/limits.ts'
import type { Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { purgeDeleted, type TrashDeps } from './trash.ts'
import type { ResumableUploads } from './upload/resumable.ts'
import { deleteFinishedUploads } from './upload/uploads.sql.ts'
import { deleteZipDownloads } from './zip/zip.sql.ts'

const cleanUp = defineJob<null>('media.clean-up', { everyMs: DAY / 24 })

interface CleanUpDeps extends TrashDeps {
  resumable: ResumableUploads
  /** Removes albums that were deleted before this time. */
  purgeAlbums(tx: Tx, before: number): Promise<void>
}

/** Removes every hour what is no longer needed: deleted files and albums whose time is over, unfinished uploads, old ZIP downloads. */
export function handleCleanUp(queue: Queue, deps: CleanUpDeps): void {
  queue.handle(cleanUp, {
    async run() {
      await purgeDeleted(deps)
      await deps.db.transaction(tx => deps.purgeAlbums(tx, deps.clock() - deps.trashDays * DAY))
      await deps.resumable.removeExpired()
      await deps.storage.removeUnfinished(new Date(deps.clock() - DAY))
      await deps.db.transaction(tx => deleteFinishedUploads(tx, deps.clock() - 7 * DAY))
      await deleteZipDownloads(deps.db.query, deps.clock() - DAY)
    },
  })
}
