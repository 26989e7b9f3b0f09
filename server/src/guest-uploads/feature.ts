import type { Feature } from '../feature.ts'
import { renderGuestNotifications } from './notifications.ts'
import { handleGuestUploadJobs } from './review.ts'
import { type GuestUploadDeps, guestUploadRoutes } from './routes.ts'

/** What guests send by upload links, and its review. */
export const guestUploadsFeature = {
  routes: guestUploadRoutes,
  jobs: handleGuestUploadJobs,
  notifications: { guests: renderGuestNotifications },
} satisfies Feature<GuestUploadDeps>
