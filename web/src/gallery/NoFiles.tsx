import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PhotoCorners } from '../ui/PhotoCorners.tsx'
import type { GalleryAddress } from './address.ts'
import { texts } from './texts.ts'
import type { ChangeAddress } from './useGalleryAddress.ts'

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  uploadButton: ReactNode
}

/** Why there is nothing to see here, and the one thing to do about it. */
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

/** An album before the first photo: places of different shapes, waiting. */
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
