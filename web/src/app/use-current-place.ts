import { useLocation, useNavigate } from 'react-router'
import type { User } from '#contract/people.ts'
import type { TreeItemId } from '../folders/tree.ts'
import {
  favouritesOf,
  folderOf,
  folderPath,
  type GalleryAddress,
  isRecentPlace,
  isUndatedPlace,
  onlyFolder,
  useGalleryAddress,
} from '../gallery/gallery-address.ts'
import type { Place } from '../kit/feature.ts'
import { useMe } from '../kit/me.tsx'
import { placeNames, places } from './features.ts'

interface CurrentPlace {
  /** Null in a folder, and on pages that are no place, such as the settings. */
  name: string | null
  /** What is marked in the folder tree; null outside the gallery. */
  folder: TreeItemId | null
  selectFolder: (item: TreeItemId) => void
}

/** Where this person is, for everything that marks it: rail, tabs and menus. */
export function useCurrentPlace(): CurrentPlace {
  const { pathname } = useLocation()
  const me = useMe()
  const [address, change] = useGalleryAddress()
  const navigate = useNavigate()
  const name = me === null ? null : (placeOfPage(pathname) ?? (pathname === '/' ? placeInGallery(address, me) : null))
  return {
    name,
    folder: pathname !== '/' ? null : (folderOf(address) ?? (name === 'photos' ? 'all' : null)),
    selectFolder: item => {
      const folder = item === 'all' ? null : item
      if (pathname === '/') change(onlyFolder(folder))
      else void navigate(folderPath(folder))
    },
  }
}

/** A place and the pages below it. */
function placeOfPage(pathname: string): string | null {
  // Guests send their photos to an album.
  if (pathname === '/guest-uploads') return 'albums'
  if (pathname === '/undated') return 'undated'
  const isIn = ({ to }: Place) =>
    typeof to === 'string' && to !== '/' && (pathname === to || pathname.startsWith(`${to}/`))
  return placeNames.find(name => isIn(places[name])) ?? null
}

function placeInGallery(address: GalleryAddress, me: User): string | null {
  if (folderOf(address) !== null) return null
  if (address.filter.memory !== undefined) return 'memories'
  if (isUndatedPlace(address)) return 'undated'
  if (favouritesOf(address) === me.id) return 'favourites'
  return isRecentPlace(address) ? 'recent' : 'photos'
}
