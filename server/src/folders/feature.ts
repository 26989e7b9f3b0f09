import type { Feature } from '../feature.ts'
import { type FolderRouteDeps, folderRoutes } from './routes.ts'

export const foldersFeature = {
  routes: folderRoutes,
  changesSearches: ['folders'],
} satisfies Feature<FolderRouteDeps>
