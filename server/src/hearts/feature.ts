import type { Feature } from '../feature.ts'
import { heartsInExport } from './export.sql.ts'
import type { HeartDeps } from './hearts.ts'
import { renderHeartNotifications } from './notifications.ts'
import { heartRoutes } from './routes.ts'
import { insertSeededHearts } from './seed.sql.ts'

/** Favourites of each person. What tiles show of them and the filter are part of the lists of media. */
export const heartsFeature = {
  routes: heartRoutes,
  changesSearches: ['hearts'],
  notifications: { hearts: renderHeartNotifications },
  exported: heartsInExport,
  seed: insertSeededHearts,
} satisfies Feature<HeartDeps>
