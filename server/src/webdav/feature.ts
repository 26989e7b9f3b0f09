import type { Feature } from '../feature.ts'
import { type WebdavDeps, webdavRoutes } from './routes.ts'

/** Folders, albums and an inbox for file managers and the backup programs of phones. */
export const webdavFeature = { routes: webdavRoutes } satisfies Feature<WebdavDeps>
