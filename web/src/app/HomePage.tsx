import { lazy, Suspense } from 'react'
import { MoveFilesDialog } from '../folders/dialogs/MoveFilesDialog.tsx'
import { Folders } from '../folders/Folders.tsx'
import { useMoveFiles } from '../folders/queries.ts'
import { Subfolders } from '../folders/Subfolders.tsx'
import { FirstRun } from '../gallery/FirstRun.tsx'
import { GalleryPage } from '../gallery/GalleryPage.tsx'
import { favouritesOf, unfiltered, useGalleryAddress, writeAddress } from '../gallery/gallery-address.ts'
import { useCan, useMe } from '../kit/me.tsx'
import { prefetchedLazy } from '../kit/prefetched-lazy.ts'
import { ShareDialog } from '../links/ShareDialog.tsx'
import { TagDialog } from '../tags/TagDialog.tsx'
import { FavouritesLink } from './FavouritesLink.tsx'
import { texts } from './texts.ts'
import { UploadButton } from './UploadButton.tsx'

// Loaded on demand: only an empty library shows it.
const InviteButton = lazy(async () => ({
  default: (await import('../admin/invitations/InviteButton.tsx')).InviteButton,
}))
const PhotoViewer = prefetchedLazy(async () => (await import('./PhotoViewer.tsx')).PhotoViewer)

/** The gallery, combined with folders, upload, tags and the viewer. */
export function HomePage() {
  const [address, change] = useGalleryAddress()
  const { folder } = address
  const favourites = favouritesOf(address)
  const me = useMe()
  const move = useMoveFiles()
  const mayEdit = useCan('media.edit')
  const mayShare = useCan('links.make')
  const uploadButton = <UploadButton label={texts.uploadFiles} />
  return (
    <GalleryPage
      panel={
        <Folders
          selected={favourites === null ? (folder ?? 'all') : null}
          renderPlaces={onChosen => <FavouritesLink current={favourites === me?.id} onChosen={onChosen} />}
          onSelect={item => change(unfiltered(item === 'all' ? null : item))}
          onFilesDropped={(folderId, fileIds) => void move.run({ body: { fileIds, folderId } })}
        />
      }
      subfolders={
        typeof folder === 'number' && (
          <Subfolders folderId={folder} hrefOf={id => `/?${writeAddress({ ...address, ...unfiltered(id) })}`} />
        )
      }
      uploadButton={uploadButton}
      firstRun={
        <FirstRun
          uploadButton={uploadButton}
          inviteButton={
            <Suspense fallback={null}>
              <InviteButton variant="primary" />
            </Suspense>
          }
        />
      }
      renderMove={mayEdit ? request => <MoveFilesDialog {...request} /> : undefined}
      renderTag={mayEdit ? request => <TagDialog {...request} /> : undefined}
      renderShare={mayShare ? request => <ShareDialog {...request} /> : undefined}
      renderViewer={viewed => (
        <Suspense fallback={null}>
          <PhotoViewer
            viewed={viewed}
            onSearch={search => change({ ...unfiltered(null), search, file: null, note: null })}
          />
        </Suspense>
      )}
    />
  )
}
