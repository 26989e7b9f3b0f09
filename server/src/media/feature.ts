import type { Feature } from '../feature.ts'
import type { Queue } from '../jobs/queue.ts'
import { undoCaption } from './captions.ts'
import { type CleanUpDeps, handleCleanUp } from './cleanup.ts'
import { undoDates } from './correct-dates.ts'
import { undoPlaces } from './correct-places.ts'
import { renderDeletionNotices } from './deletion-notices.ts'
import { undoMove, undoRotation } from './edit.ts'
import { handleIntegrityJobs, type IntegrityDeps } from './integrity.ts'
import { handleMemoryJobs, type MemoryJobDeps } from './memories/notify.ts'
import type { PrepareDeps } from './prepare/jobs.ts'
import { handlePrepareJobs } from './prepare/prepare.ts'
import { type MediaDeps, mediaRoutes } from './routes.ts'
import { enqueueRemoveUploads, handleRemoveUploads } from './upload/remove-uploads.ts'

type Deps = MediaDeps & CleanUpDeps & PrepareDeps & IntegrityDeps & MemoryJobDeps

/** Photos and videos: uploads, lists, search, changes, preparation and memories. */
export const mediaFeature = {
  routes: mediaRoutes,
  jobs: handleMediaJobs,
  undo: deps => ({
    'media.date': undoDates(deps),
    'media.place': undoPlaces(deps),
    'media.caption': undoCaption(deps),
    'media.move': undoMove(deps),
    'media.rotate': undoRotation(deps),
  }),
  accessEnded: ({ queue }, tx, { personId }) => enqueueRemoveUploads(queue, tx, personId),
  changesSearches: ['media'],
  notifications: { deleted: renderDeletionNotices },
} satisfies Feature<Deps>

function handleMediaJobs(queue: Queue, deps: Deps): void {
  handlePrepareJobs(queue, deps)
  handleCleanUp(queue, deps)
  handleRemoveUploads(queue, deps)
  handleIntegrityJobs(queue, deps)
  handleMemoryJobs(queue, deps)
}
