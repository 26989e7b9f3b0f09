import type { FastifyInstance } from 'fastify'
import { readBounds } from '#contract/bounds.ts'
import { listPlaces, mapClusters, mapExtent, mapTowns, searchPlaces } from '#contract/places.ts'
import { serve } from '../kit/serve.ts'
import type { MediaTools } from '../media/public.ts'
import { findClusters, findExtent, type PlacesDeps } from './clusters.ts'
import { listCountries } from './countries.ts'

export interface PlaceRouteDeps extends PlacesDeps {
  tools: Pick<MediaTools, 'townsWithin' | 'searchPlaces'>
}

export function placeRoutes(app: FastifyInstance, deps: PlaceRouteDeps): void {
  serve(app, mapClusters, ({ query }) => findClusters(deps, query))
  serve(app, mapExtent, () => findExtent(deps))
  serve(app, listPlaces, () => listCountries(deps))
  serve(app, searchPlaces, ({ query }) => deps.tools.searchPlaces(query.name))
  serve(app, mapTowns, ({ query }) => deps.tools.townsWithin(readBounds(query.bounds)))
}
