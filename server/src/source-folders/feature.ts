import type { Feature } from '../feature.ts'
import { handleInbox, type InboxDeps } from './inbox.ts'
import { type SourceFolderRouteDeps, sourceFolderRoutes } from './routes.ts'

/** Folders of the server's disks that other programs write: the inbox folder. */
export const sourceFoldersFeature = {
  routes: sourceFolderRoutes,
  jobs: handleInbox,
} satisfies Feature<SourceFolderRouteDeps & InboxDeps>
