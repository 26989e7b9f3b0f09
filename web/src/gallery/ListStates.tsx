import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PhotoCorners } from '../ui/PhotoCorners.tsx'
import type { ChangeAddress, GalleryAddress } from './gallery-address.ts'
import { texts } from './texts.ts'

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  uploadButton: ReactNode
}

/** Explains why the list is empty and offers a way on. */
export function NoFiles({ address: { search, type, folder }, change, uploadButton }: Props) {
  if (search !== '' || type !== null) {
    const text = search === '' ? texts.nothingFound.type : texts.nothingFound.search(search)
    return (
      <EmptyState title={texts.nothingFound.title} text={text}>
        <Button onClick={() => change({ search: '', type: null })}>{texts.banner.clear}</Button>
      </EmptyState>
    )
  }
  if (folder !== null) {
    const { title, text } = folder === 'root' ? texts.allInFolders : texts.emptyFolder
    return (
      <EmptyState title={title} text={text}>
        <Button onClick={() => change({ folder: null })}>{texts.emptyFolder.out}</Button>
      </EmptyState>
    )
  }
  return <EmptyAlbum>{uploadButton}</EmptyAlbum>
}

export function NoSuchFolder({ change }: { change: ChangeAddress }) {
  return (
    <EmptyState title={texts.noSuchFolder.title} text={texts.noSuchFolder.text}>
      <Button onClick={() => change({ folder: null })}>{texts.emptyFolder.out}</Button>
    </EmptyState>
  )
}

export function LoadFailed({ reason, retry }: { reason: string; retry: () => void }) {
  return (
    <EmptyState title={texts.failed.title} text={reason}>
      <Button variant="primary" onClick={retry}>
        {texts.failed.retry}
      </Button>
    </EmptyState>
  )
}

/** Decoration of the empty library: two empty photo frames. */
function EmptyAlbum({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center justify-center gap-12 py-4 sm:py-12">
      <EmptyPlace shape="aspect-[3/4] w-40" />
      <div className="w-full max-w-md">
        <EmptyState {...texts.emptyLibrary}>{children}</EmptyState>
      </div>
      <EmptyPlace shape="aspect-[4/3] w-52" />
    </div>
  )
}

function EmptyPlace({ shape }: { shape: string }) {
  return (
    <div aria-hidden="true" className={`relative hidden shrink-0 xl:block ${shape}`}>
      <PhotoCorners />
    </div>
  )
}

interface FilterBannerProps {
  address: GalleryAddress
  change: ChangeAddress
  /** Undefined while loading; null if the request failed. */
  count: number | null | undefined
}

/** Says how many files match the filter, and clears it. */
export function FilterBanner({ address: { search, type }, change, count }: FilterBannerProps) {
  const filtered = search !== '' || type !== null
  const { found, notCounted } = texts.banner
  const said = count === undefined ? texts.loading : count === null ? notCounted : found(count, type, search)
  return (
    <div role="status">
      {filtered && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-card bg-accent-wash py-1 pr-1 pl-4">
          <p className="wrap-anywhere py-1.5">{said}</p>
          <Button variant="bare" onClick={() => change({ search: '', type: null })}>
            {texts.banner.clear}
          </Button>
        </div>
      )}
    </div>
  )
}
