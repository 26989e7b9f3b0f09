import './gallery.css'
import type { ReactNode } from 'react'
import type { ViewedFile } from '../media/viewed-file.ts'
import { useListTimeline } from './files/queries.ts'
import { type FilesRequest, Gallery, type MoveRequest } from './Gallery.tsx'
import { type ChangeAddress, type GalleryAddress, listOf } from './gallery-address.ts'
import { useViewPreference } from './view-preference.ts'

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  empty: ReactNode
  renderViewer: (viewed: ViewedFile) => ReactNode
  renderMove: ((request: MoveRequest) => ReactNode) | undefined
  renderTag: ((request: FilesRequest) => ReactNode) | undefined
  renderShare: ((request: FilesRequest) => ReactNode) | undefined
  renderDate: ((request: FilesRequest) => ReactNode) | undefined
  renderPlace: ((request: FilesRequest) => ReactNode) | undefined
  renderAddToAlbum: ((request: MoveRequest) => ReactNode) | undefined
}

/** The files in a part of the map, with all that the gallery offers. */
export function PlaceGallery({ address, change, empty, ...render }: Props) {
  const { view } = useViewPreference()
  const timeline = useListTimeline(listOf(address), view === 'proportions')
  return (
    <Gallery
      address={address}
      change={change}
      timeline={timeline}
      folder={undefined}
      subfolders={null}
      firstRun={empty}
      narrow
      {...render}
    />
  )
}
