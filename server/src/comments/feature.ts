import type { Feature } from '../feature.ts'
import { purgeComments } from './comments.sql.ts'
import type { RestoreDeps } from './comments.ts'
import { commentRoutes } from './routes.ts'

/** Notes on photos and comments on albums. */
export const commentsFeature = {
  routes: commentRoutes,
  purge: purgeComments,
  changesSearches: ['notes'],
} satisfies Feature<RestoreDeps>
