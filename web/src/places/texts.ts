import type { Cluster } from '#contract/places.ts'
import { formatCount, formatPhotos as photos } from '../kit/format.ts'

export const texts = {
  loading: 'Loading…',
  loadFailed: 'The map could not be loaded',
  failed: { title: 'The places could not be loaded', retry: 'Retry' },
  map: {
    page: 'Map',
    subtitle: 'Where your photos were taken',
    showAll: 'Show all photos',
    photos: 'Photos here',
    close: 'All places in sight',
    showInSight: 'Show all of these photos',
    credits: 'Natural Earth, GeoNames',
    empty: {
      title: 'No photo has a place yet',
      text: 'Photos of most phones bring their place with them.',
      textForEditors:
        'Photos of most phones bring their place with them. For others you can set it: select them among your photos and choose “Change place”.',
      toPhotos: 'Choose photos',
    },
    emptyHere: {
      title: 'No photos here',
      text: 'Move the map, or zoom out to see where your photos are.',
      all: 'Show all photos',
    },
  },
  places: {
    page: 'Places',
    subtitle: 'Where your photos were taken',
    toMap: 'Show on a map',
    loadFailed: 'The places could not be loaded',
    townsOf: (country: string) => `Towns in ${country}`,
    more: (count: number) => `${formatCount(count)} more places: open the country to see their photos`,
  },
  correct: {
    title: (count: number) => (count === 1 ? 'Change place' : `Change the place of ${photos(count)}`),
    search: 'Search for a town or village',
    clearSearch: 'Clear search',
    found: 'Places found',
    nothing: 'No town or village begins like this.',
    searchFailed: 'Places could not be searched',
    hint: 'Search for a town, or click on the map.',
    cancel: 'Cancel',
    camera: 'Use the camera’s place',
    clear: 'Remove place',
    save: 'Save place',
    success: (count: number, place: string | null) =>
      count === 0
        ? 'No place was changed'
        : place === null
          ? `Place changed for ${photos(count)}`
          : `${photos(count)}: ${place}`,
    failure: 'The place could not be changed',
  },
  inSight: {
    heading: 'In sight',
    name: ({ place, elsewhere }: Pick<Cluster, 'place' | 'elsewhere'>) =>
      place === null ? 'A place without a name' : elsewhere ? `${place} and elsewhere` : place,
    count: photos,
    summary: (places: number, files: number) =>
      `${formatCount(places)} ${places === 1 ? 'place' : 'places'} in sight with ${photos(files)}`,
    more: (count: number) => `and ${formatCount(count)} more places: zoom in to see them`,
  },
} as const
