import type { Feature } from '../feature.ts'
import { handleImportJobs, type ImportJobDeps } from './import-jobs.ts'

/** Imports from other systems. */
export const importsFeature = {
  jobs: handleImportJobs,
} satisfies Feature<ImportJobDeps>
