import { DAY } from '#contract/limits.ts'
import type { Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { purgeDeleted, type TrashDeps } from './trash.ts'
import type { ResumableUploads } from './upload/resumable.ts'
import { deleteFinishedUploads } from './upload/uploads.sql.ts'
import { deleteZipDownloads } from './zip/zip.sql.ts'

const cleanUp = defineJob<null>('media.clean-up', { everyMs: DAY / 24 })

export interface CleanUpDeps extends TrashDeps {
  resumable: ResumableUploads
  /** Each removes for good what was deleted before this time: albums, comments. */
  purges: readonly ((tx: Tx, before: number) => Promise<void>)[]
}

/** Removes every hour what is no longer needed: deleted files, albums and comments whose time is over, unfinished uploads, old ZIP downloads. */
export function handleCleanUp(queue: Queue, deps: CleanUpDeps): void {
  queue.handle(cleanUp, {
    async run() {
      await purgeDeleted(deps)
      for (const purge of deps.purges) {
        await deps.db.transaction(tx => purge(tx, deps.clock() - deps.trashDays * DAY))
      }
      await deps.resumable.removeExpired()
      await deps.storage.removeUnfinished(new Date(deps.clock() - DAY))
      await deps.db.transaction(tx => deleteFinishedUploads(tx, deps.clock() - 7 * DAY))
      await deleteZipDownloads(deps.db.query, deps.clock() - DAY)
    },
  })
}
