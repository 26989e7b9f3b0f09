import type { ReactNode } from 'react'
import { givenFilters } from '#contract/media-filter.ts'
import { usePageTitle } from '../kit/page-title.ts'
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
  const favourites = useFavouritesName(favouritesOf(address))
  usePageTitle(
    typeof folder === 'string'
      ? folder
      : (favourites ?? (isUndatedPlace(address) ? texts.undated.heading : texts.page)),
  )

  return (
    <Gallery
      address={address}
      change={change}
      folder={folder}
      head={{
        title: (
          <div className="toolbar-heading">
            <h1 className="font-semibold">{texts.heading}</h1>{' '}
            <p className="text-fine text-ink-soft">{texts.subtitle}</p>
          </div>
        ),
        figures: (
          <StatPills
            stats={stats}
            type={address.filter.type}
            narrowed={givenFilters(address.filter).length > 0}
            onShowAll={() => change(onlyFolder(null))}
            onChoose={type => change({ filter: { type } })}
          />
        ),
        button: uploadButton,
      }}
      top={isWholeLibrary(address) && top}
      {...gallery}
    />
  )
}
