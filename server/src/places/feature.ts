import type { Feature } from '../feature.ts'
import { type PlaceRouteDeps, placeRoutes } from './routes.ts'

/** The map, and the page of countries and towns. */
export const placesFeature = { routes: placeRoutes } satisfies Feature<PlaceRouteDeps>
