import type { Feature } from '../feature.ts'
import type { Queue } from '../jobs/queue.ts'
import { handleInbox, type InboxDeps } from './inbox.ts'
import { reportMounts } from './mounts.ts'
import { type SourceFolderRouteDeps, sourceFolderRoutes } from './routes.ts'
import { handleScans } from './scan.ts'

type Deps = SourceFolderRouteDeps & InboxDeps

/** Folders of the server's disks that other programs write: the inbox folder, and watched folders. */
export const sourceFoldersFeature = {
  routes: sourceFolderRoutes,
  jobs: handleSourceFolders,
  background: async (app, deps) => {
    // Other servers do it with their routes.
    if (deps.config.role === 'worker') reportMounts(app, deps)
  },
} satisfies Feature<Deps>

function handleSourceFolders(queue: Queue, deps: Deps): void {
  handleInbox(queue, deps)
  handleScans(queue, deps)
}
