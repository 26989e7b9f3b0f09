import { MapIcon, MapPin } from 'lucide-react'
import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'

const PlacesPage = lazy(async () => ({ default: (await import('./PlacesPage.tsx')).PlacesPage }))

/** The page of the map is in `app`, because it shows files in a gallery. */
export const placesFeature = {
  pages: [{ path: '/places', Page: PlacesPage }],
  places: {
    map: { name: 'Map', icon: MapIcon, to: '/map' },
    places: { name: 'Places', icon: MapPin, to: '/places' },
  },
} satisfies Feature
