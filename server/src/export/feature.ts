import type { Feature } from '../feature.ts'
import { expireExportsOf } from './exports.sql.ts'
import { handleExportJobs } from './prepare.ts'
import { type ExportRouteDeps, exportRoutes } from './routes.ts'

/** The library as a folder or as ZIPs that need no Heirloom. The command `export` writes the same. */
export const exportFeature = {
  routes: exportRoutes,
  jobs: handleExportJobs,
  accessEnded: (_, tx, { personId }) => expireExportsOf(tx, personId),
} satisfies Feature<ExportRouteDeps>
