import type { Feature } from '../feature.ts'
import { type InboxDeps, notificationRoutes } from './routes.ts'

export const notificationsFeature = { routes: notificationRoutes } satisfies Feature<InboxDeps>
