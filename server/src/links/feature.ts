import type { FastifyInstance } from 'fastify'
import type { Feature } from '../feature.ts'
import { endRequestsWithLinks } from '../live/session-ends.ts'
import { openLinkSessions } from './guests.ts'
import { endLinksOf, handleLinkJobs } from './links.ts'
import { type LinkRouteDeps, linkRoutes } from './routes.ts'

/** Links for guests: the only data that is served without a session. */
export const linksFeature = {
  routes: routesForMembersAndGuests,
  jobs: handleLinkJobs,
  accessEnded: (deps, tx, { personId, adminId }) => endLinksOf(deps, tx, personId, adminId),
} satisfies Feature<LinkRouteDeps>

async function routesForMembersAndGuests(app: FastifyInstance, deps: LinkRouteDeps): Promise<void> {
  const validSessions = openLinkSessions.bind(null, deps)
  await endRequestsWithLinks(app, { db: deps.db, openRequests: deps.guestRequests, validSessions })
  await linkRoutes(app, deps)
}
