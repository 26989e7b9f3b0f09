import type { Feature } from '../feature.ts'
import { type PeopleDeps, peopleRoutes } from './routes.ts'

/** Everybody of the family, requests for access, roles and invitations. */
export const peopleFeature = {
  routes: peopleRoutes,
  changesSearches: ['people'],
} satisfies Feature<PeopleDeps>
