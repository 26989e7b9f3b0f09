import './gallery.css'
import { type ReactNode, useMemo } from 'react'
import type { ViewedFile } from '../media/viewed-file.ts'
import { useListTimeline } from './files/queries.ts'
import { type AlbumActions, type FilesRequest, Gallery, type MoveRequest } from './Gallery.tsx'
import { listOf, type ShownAlbum, useGalleryAddress } from './gallery-address.ts'
import { useViewPreference } from './view-preference.ts'

interface Props {
  album: ShownAlbum
  actions: AlbumActions
  /** What an empty album shows. */
  empty: ReactNode
  renderViewer: (viewed: ViewedFile) => ReactNode
  renderMove: ((request: MoveRequest) => ReactNode) | undefined
  renderTag: ((request: FilesRequest) => ReactNode) | undefined
  renderShare: ((request: FilesRequest) => ReactNode) | undefined
  renderDate: ((request: FilesRequest) => ReactNode) | undefined
  renderPlace: ((request: FilesRequest) => ReactNode) | undefined
  renderAddToAlbum: ((request: MoveRequest) => ReactNode) | undefined
}

/** The files of an album, with all that the gallery offers. */
export function AlbumGallery({ album: { id, order }, actions, empty, ...render }: Props) {
  const [inUrl, change] = useGalleryAddress()
  const address = useMemo(() => ({ ...inUrl, folder: null, album: { id, order } }), [inUrl, id, order])
  const { view } = useViewPreference({ inAlbum: true })
  const timeline = useListTimeline(listOf(address), view === 'proportions')
  return (
    <Gallery
      address={address}
      change={change}
      timeline={timeline}
      folder={undefined}
      subfolders={null}
      firstRun={empty}
      album={actions}
      {...render}
    />
  )
}
