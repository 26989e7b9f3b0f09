import type { Feature } from '../feature.ts'
import type { ChangeDeps } from './changes.ts'
import { handleActivityJobs, type PurgeDeps } from './purge.ts'
import { changeRoutes } from './routes.ts'

/** What people have changed of files, and the undo of that. */
export const changesFeature = {
  routes: changeRoutes,
  jobs: handleActivityJobs,
} satisfies Feature<ChangeDeps & PurgeDeps>
