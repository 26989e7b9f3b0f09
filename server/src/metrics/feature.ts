import type { Feature } from '../feature.ts'
import { type OverviewDeps, overviewRoutes } from './overview.ts'

/** The overview of the library, for admins. `metrics.ts`, for monitoring, is served by every server. */
export const metricsFeature = { routes: overviewRoutes } satisfies Feature<OverviewDeps>
