import './gallery.css'
import type { ReactNode } from 'react'
import { usePageTitle } from '../kit/page-title.ts'
import type { ViewedFile } from '../media/viewed-file.ts'
import { useScreen } from '../ui/use-screen.ts'
import type { Choosing } from './actions/ChoosingBar.tsx'
import { useFavouritesName } from './favourites.ts'
import { useFolderName, useInvalidateOnStatsChange, useLibraryStats, useListTimeline } from './files/queries.ts'
import { type FilesRequest, Gallery, type MoveRequest, type SaveRequest } from './Gallery.tsx'
import {
  favouritesOf,
  isFiltered,
  isUndatedPlace,
  isWholeLibrary,
  listOf,
  unfiltered,
  useGalleryAddress,
} from './gallery-address.ts'
import { StatPills } from './StatPills.tsx'
import { texts } from './texts.ts'
import { useViewPreference } from './view-preference.ts'

interface Props {
  /** The folders next to the files. */
  panel?: ReactNode
  /** Above the files of the whole library. */
  top?: ReactNode
  /** The folders in the open folder, above its files. */
  subfolders: ReactNode
  uploadButton: ReactNode
  /** What an empty library shows. */
  firstRun: ReactNode
  renderViewer: (viewed: ViewedFile) => ReactNode
  /** The dialog that asks for a folder; absent where files cannot be moved. */
  renderMove?: ((request: MoveRequest) => ReactNode) | undefined
  /** The dialog that asks for a tag; absent where files cannot be tagged. */
  renderTag?: ((request: FilesRequest) => ReactNode) | undefined
  /** The dialog that makes a link; absent where the person may not. */
  renderShare?: ((request: FilesRequest) => ReactNode) | undefined
  /** The dialog that changes dates; absent where the person may not. */
  renderDate?: ((request: FilesRequest) => ReactNode) | undefined
  /** The dialog that changes the place; absent where it cannot be changed. */
  renderPlace?: ((request: FilesRequest) => ReactNode) | undefined
  /** The dialog that asks for an album. */
  renderAddToAlbum?: ((request: MoveRequest) => ReactNode) | undefined
  /** The dialog that saves the filter as an album. */
  renderSave?: ((request: SaveRequest) => ReactNode) | undefined
  /** Present while photos are being chosen for an album. */
  choosing?: Choosing | undefined
  /** In place of the bar for selected files, while none is selected. */
  bar?: ReactNode
}

/** The gallery: figures, toolbar and the files of the library or a folder. */
export function GalleryPage({ panel, top, subfolders, uploadButton, firstRun, ...render }: Props) {
  const [address, change] = useGalleryAddress()
  const list = listOf(address)
  const folder = useFolderName(address.folder)
  const { view } = useViewPreference()
  const stats = useLibraryStats().data
  const timeline = useListTimeline(list, view === 'proportions')
  useInvalidateOnStatsChange(stats)
  const [wide, tabs] = [useScreen('lg'), useScreen('tabs')]
  const favourites = useFavouritesName(favouritesOf(address))
  usePageTitle(
    typeof folder === 'string'
      ? folder
      : (favourites ?? (isUndatedPlace(address) ? texts.undated.heading : texts.page)),
  )

  return (
    <div className="lg:grid lg:grid-cols-[auto_minmax(0,1fr)] lg:gap-x-6">
      {wide && panel}
      <div className="min-w-0">
        <header className="flex flex-wrap items-center gap-x-4 sm:flex-nowrap">
          <div className="flex flex-wrap items-baseline gap-x-2 sm:mr-auto sm:shrink-0 sm:flex-col rail:flex-row">
            <h1 className="font-semibold text-lead leading-tight">{texts.heading}</h1>
            <p className="text-fine text-ink-soft leading-tight">{texts.subtitle}</p>
          </div>
          <div className="-mx-[16px] w-[calc(100%+32px)] min-w-0 sm:mx-0 sm:w-auto">
            <StatPills
              stats={stats}
              type={address.type}
              narrowed={isFiltered(address) || address.folder !== null || address.heartedBy !== null || address.undated}
              onShowAll={() => change(unfiltered(null))}
              onChoose={type => change({ type })}
            />
          </div>
          {!tabs && (
            <div className="flex shrink-0 items-center gap-2">
              {!wide && panel}
              {uploadButton}
            </div>
          )}
        </header>
        {isWholeLibrary(address) && top}
        <Gallery
          address={address}
          change={change}
          timeline={timeline}
          folder={folder}
          subfolders={subfolders}
          firstRun={firstRun}
          renderMove={undefined}
          renderTag={undefined}
          renderShare={undefined}
          {...render}
        />
      </div>
    </div>
  )
}
