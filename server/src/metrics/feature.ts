import type { Feature } from '../feature.ts'
import { type EmergencySheetDeps, emergencySheetRoute } from './emergency-sheet.ts'
import { type OverviewDeps, overviewRoutes } from './overview.ts'

/** The overview of the library, for admins. `metrics.ts`, for monitoring, is served by every server. */
export const metricsFeature = {
  routes(app, deps) {
    overviewRoutes(app, deps)
    emergencySheetRoute(app, deps)
  },
} satisfies Feature<OverviewDeps & EmergencySheetDeps>
