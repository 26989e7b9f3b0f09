import './gallery.css'
import { type ReactNode, useState } from 'react'
import { usePageTitle } from '../kit/page-title.ts'
import type { ViewedFile } from '../media/viewed-file.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useFolderName, useInvalidateOnStatsChange, useLibraryStats, useListIndex } from './files/queries.ts'
import { Gallery, type MoveRequest, type TagRequest } from './Gallery.tsx'
import { listOf, useGalleryAddress } from './gallery-address.ts'
import { FilterBanner } from './ListStates.tsx'
import { StatCards } from './StatCards.tsx'
import { texts } from './texts.ts'

interface Props {
  /** The folders next to the files. */
  panel?: ReactNode
  uploadButton: ReactNode
  renderViewer: (viewed: ViewedFile) => ReactNode
  /** The dialog that asks for a folder; absent where files cannot be moved. */
  renderMove?: ((request: MoveRequest) => ReactNode) | undefined
  /** The dialog that asks for a tag; absent where files cannot be tagged. */
  renderTag?: ((request: TagRequest) => ReactNode) | undefined
}

/** The gallery: statistics, toolbar and the files of the library or a folder. */
export function GalleryPage({ panel, uploadButton, renderViewer, renderMove, renderTag }: Props) {
  const [address, change] = useGalleryAddress()
  const list = listOf(address)
  const folder = useFolderName(address.folder)
  const stats = useLibraryStats(list)
  const index = useListIndex(list)
  useInvalidateOnStatsChange(stats)
  usePageTitle(typeof folder === 'string' ? folder : texts.page)

  const lastStats = useLastKnown(stats.data?.stats)
  const count = index.isError ? null : index.isPlaceholderData ? undefined : index.data?.total
  return (
    <div className="flex flex-wrap gap-x-2 pb-(--dock) lg:grid lg:grid-cols-[auto_minmax(0,1fr)] lg:gap-x-8">
      <div className="max-lg:mb-5 lg:row-span-2 lg:row-start-1">{panel}</div>
      <div className="max-lg:-order-1 max-lg:w-full lg:col-start-2 lg:row-start-1">
        <PageHeader heading={texts.heading} subtitle={texts.subtitle} />
      </div>
      <div className="max-lg:mb-5 lg:col-start-2 lg:row-start-1 lg:place-self-end lg:pb-8">{uploadButton}</div>
      <div className="w-full min-w-0 lg:col-start-2 lg:row-start-2">
        <StatCards
          stats={lastStats}
          type={address.type}
          narrowed={address.search !== '' || address.folder !== null}
          onShowAll={() => change({ type: null, search: '', folder: null })}
          onChoose={type => change({ type })}
        />
        <Gallery
          address={address}
          change={change}
          index={index}
          folder={folder}
          banner={<FilterBanner address={address} change={change} count={count} />}
          uploadButton={uploadButton}
          renderViewer={renderViewer}
          renderMove={renderMove}
          renderTag={renderTag}
        />
      </div>
    </div>
  )
}

/** The statistics are of the whole library, so they stay visible when a search fails. */
function useLastKnown<Value>(value: Value | undefined): Value | undefined {
  const [known, setKnown] = useState(value)
  if (value !== undefined && value !== known) setKnown(value)
  return value ?? known
}
