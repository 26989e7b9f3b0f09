import { MapIcon, MapPin } from 'lucide-react'
import { lazy } from 'react'
import english from '#messages/en/places-navigation.json' with { type: 'json' }
import type { Feature } from '../kit/feature.ts'
import { translated } from '../kit/messages.ts'

const PlacesPage = lazy(async () => ({ default: (await import('./PlacesPage.tsx')).PlacesPage }))

/** Apart from the other texts, which the first screen does not need. */
const names = translated('places-navigation', english)

/** The page of the map is in `app`, because it shows files in a gallery. */
export const placesFeature = {
  pages: [{ path: '/places', Page: PlacesPage }],
  places: {
    map: { name: names.map, icon: MapIcon, to: '/map' },
    places: { name: names.places, icon: MapPin, to: '/places' },
  },
} satisfies Feature
