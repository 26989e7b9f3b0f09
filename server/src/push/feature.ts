import type { Feature } from '../feature.ts'
import { handlePhotos } from './photos.ts'
import { deleteSubscriptionsOf } from './push.sql.ts'
import { type PushRouteDeps, pushRoutes } from './routes.ts'
import { handleSending, type SendDeps } from './send.ts'

/** Notifications on devices, by web push. */
export const pushFeature = {
  routes: pushRoutes,
  jobs(queue, deps) {
    handleSending(queue, deps)
    handlePhotos(queue, deps)
  },
  // A revoked person keeps their sessions, which are invalid; other devices are removed with their session.
  accessEnded: (_deps, tx, { personId, status }) =>
    status === 'approved' ? Promise.resolve() : deleteSubscriptionsOf(tx, personId),
} satisfies Feature<PushRouteDeps & SendDeps>
