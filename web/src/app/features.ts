import { Images } from 'lucide-react'
import { adminFeature } from '../admin/feature.ts'
import { albumsFeature } from '../albums/feature.ts'
import { datesFeature } from '../dates/feature.ts'
import { exportsFeature } from '../exports/feature.ts'
import { guestUploadsFeature } from '../guest-uploads/feature.ts'
import { heartsFeature } from '../hearts/feature.ts'
import type { Page, Place } from '../kit/feature.ts'
import { linksFeature } from '../links/feature.ts'
import { memoriesFeature } from '../memories/feature.ts'
import { personFeature } from '../person/feature.ts'
import { placesFeature } from '../places/feature.ts'
import { trashFeature } from '../trash/feature.ts'
import { texts } from './texts.ts'

/** The pages of one feature alone, for people who have signed in. `AppRoutes.tsx` has those that combine several. */
export const pages: readonly Page[] = [
  adminFeature,
  datesFeature,
  exportsFeature,
  guestUploadsFeature,
  linksFeature,
  memoriesFeature,
  personFeature,
  placesFeature,
  trashFeature,
].flatMap(feature => feature.pages)

/** The entries of the navigation besides folders, by their names. */
export const places = {
  photos: { name: texts.tabs.photos, icon: Images, to: '/' },
  ...heartsFeature.places,
  ...albumsFeature.places,
  ...placesFeature.places,
  ...personFeature.places,
  ...memoriesFeature.places,
  ...datesFeature.places,
  ...trashFeature.places,
} satisfies Record<string, Place>
export type PlaceName = keyof typeof places
export const placeNames = Object.keys(places) as PlaceName[]

/** Above the folders. */
export const placesInOrder: readonly PlaceName[] = [
  'photos',
  'albums',
  'memories',
  'map',
  'places',
  'people',
  'favourites',
  'recent',
]
export const placesBelowFolders: readonly PlaceName[] = ['undated', 'recentlyDeleted']
/** Those that have a tab on phones. */
export const tabPlaces = ['photos', 'albums', 'memories'] as const
export const placesInMenu: readonly PlaceName[] = placesInOrder.filter(name => !tabPlaces.some(tab => tab === name))
