import { albumsFeature } from './albums/feature.ts'
import { auditFeature } from './audit/feature.ts'
import { authFeature } from './auth/feature.ts'
import { changesFeature } from './changes/feature.ts'
import { chatFeature } from './chat/feature.ts'
import { commentsFeature } from './comments/feature.ts'
import { exportFeature } from './export/feature.ts'
import { familyFeature } from './family/feature.ts'
import type { Feature } from './feature.ts'
import type { FeatureDeps } from './feature-deps.ts'
import { foldersFeature } from './folders/feature.ts'
import { guestUploadsFeature } from './guest-uploads/feature.ts'
import { heartsFeature } from './hearts/feature.ts'
import { importsFeature } from './imports/feature.ts'
import { linksFeature } from './links/feature.ts'
import { mailFeature } from './mail/feature.ts'
import { mediaFeature } from './media/feature.ts'
import { metricsFeature } from './metrics/feature.ts'
import { notificationsFeature } from './notifications/feature.ts'
import type { AggregatedNotifications } from './notifications/public.ts'
import { peopleFeature } from './people/feature.ts'
import { placesFeature } from './places/feature.ts'
import { pushFeature } from './push/feature.ts'
import { sourceFoldersFeature } from './source-folders/feature.ts'
import { tagsFeature } from './tags/feature.ts'
import { webdavFeature } from './webdav/feature.ts'

/** All features, in the order in which their routes are registered. Server, export and seed go through this list. */
export const features: readonly Feature<FeatureDeps>[] = [
  authFeature,
  peopleFeature,
  mediaFeature,
  changesFeature,
  foldersFeature,
  albumsFeature,
  placesFeature,
  familyFeature,
  tagsFeature,
  heartsFeature,
  linksFeature,
  guestUploadsFeature,
  importsFeature,
  commentsFeature,
  notificationsFeature,
  auditFeature,
  metricsFeature,
  mailFeature,
  pushFeature,
  chatFeature,
  sourceFoldersFeature,
  webdavFeature,
  exportFeature,
]

export const aggregatedNotifications: AggregatedNotifications = {
  ...heartsFeature.notifications,
  ...guestUploadsFeature.notifications,
  ...mediaFeature.notifications,
}
