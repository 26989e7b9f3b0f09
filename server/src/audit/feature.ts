import type { Feature } from '../feature.ts'
import { type AuditDeps, auditRoutes } from './routes.ts'

/** The log of activity. */
export const auditFeature = { routes: auditRoutes } satisfies Feature<AuditDeps>
