import { adminFeature } from '../admin/feature.ts'
import { albumsFeature } from '../albums/feature.ts'
import { datesFeature } from '../dates/feature.ts'
import { guestUploadsFeature } from '../guest-uploads/feature.ts'
import { heartsFeature } from '../hearts/feature.ts'
import type { Page, Place } from '../kit/feature.ts'
import { linksFeature } from '../links/feature.ts'
import { memoriesFeature } from '../memories/feature.ts'
import { personFeature } from '../person/feature.ts'
import { placesFeature } from '../places/feature.ts'
import { trashFeature } from '../trash/feature.ts'

/** The pages of one feature alone, for people who have signed in. `AppRoutes.tsx` has those that combine several. */
export const pages: readonly Page[] = [
  adminFeature,
  datesFeature,
  guestUploadsFeature,
  linksFeature,
  memoriesFeature,
  personFeature,
  placesFeature,
  trashFeature,
].flatMap(feature => feature.pages)

/** What is beside the folders, by its names. */
export const places = {
  ...heartsFeature.places,
  ...albumsFeature.places,
  ...placesFeature.places,
  ...personFeature.places,
  ...memoriesFeature.places,
  ...datesFeature.places,
} satisfies Record<string, Place>
export type PlaceName = keyof typeof places

const { favourites, memories, map, places: countries, people } = places
/** On the page of albums, which has no panel beside it. */
export const placesForAlbums: readonly Place[] = [favourites, memories, map, countries, people]
/** In the menu of a phone, where the others have tabs. */
export const placesInMenu = [map, countries, people, memories] as const
