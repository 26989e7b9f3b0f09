import type { ReactNode } from 'react'
import { givenFilters } from '#contract/media-filter.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { useScreen } from '../ui/use-screen.ts'
import { useFolderName, useInvalidateOnStatsChange, useLibraryStats } from './files/queries.ts'
import { useFavouritesName } from './filter-labels.ts'
import { Gallery, type GalleryProps } from './Gallery.tsx'
import {
  favouritesOf,
  folderOf,
  isUndatedPlace,
  isWholeLibrary,
  onlyFolder,
  useGalleryAddress,
} from './gallery-address.ts'
import { StatPills } from './StatPills.tsx'
import { texts } from './texts.ts'

type Forwarded = 'renderPath' | 'subfolders' | 'empty' | 'renderViewer' | 'dialogs' | 'renderSave' | 'choosing' | 'bar'

interface Props extends Pick<GalleryProps, Forwarded> {
  /** Above the files of the whole library. */
  top?: ReactNode
  uploadButton: ReactNode
}

/** The gallery: statistics, toolbar and the files of the library or a folder. */
export function GalleryPage({ top, uploadButton, ...gallery }: Props) {
  const [address, change] = useGalleryAddress()
  const folder = useFolderName(folderOf(address))
  const stats = useLibraryStats().data
  useInvalidateOnStatsChange(stats)
  const tabs = useScreen('tabs')
  const favourites = useFavouritesName(favouritesOf(address))
  usePageTitle(
    typeof folder === 'string'
      ? folder
      : (favourites ?? (isUndatedPlace(address) ? texts.undated.heading : texts.page)),
  )

  return (
    <div className="min-w-0">
      <header className="flex flex-wrap items-center gap-x-4 sm:flex-nowrap">
        <div className="flex flex-wrap items-baseline gap-x-2 sm:mr-auto sm:shrink-0 sm:flex-col rail:flex-row">
          <h1 className="font-semibold text-lead leading-tight">{texts.heading}</h1>
          <p className="text-fine text-ink-soft leading-tight">{texts.subtitle}</p>
        </div>
        <div className="-mx-[16px] w-[calc(100%+32px)] min-w-0 sm:mx-0 sm:w-auto">
          <StatPills
            stats={stats}
            type={address.filter.type}
            narrowed={givenFilters(address.filter).length > 0}
            onShowAll={() => change(onlyFolder(null))}
            onChoose={type => change({ filter: { type } })}
          />
        </div>
        {!tabs && <div className="flex shrink-0 items-center gap-2">{uploadButton}</div>}
      </header>
      {isWholeLibrary(address) && top}
      <Gallery address={address} change={change} folder={folder} {...gallery} />
    </div>
  )
}
