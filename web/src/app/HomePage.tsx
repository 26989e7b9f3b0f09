import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { AddToAlbumDialog } from '../albums/AddToAlbumDialog.tsx'
import { NewAlbumDialog } from '../albums/AlbumDialogs.tsx'
import { albumPath } from '../albums/AlbumsPage.tsx'
import { useAddToAlbum } from '../albums/queries.ts'
import { MoveFilesDialog } from '../folders/dialogs/MoveFilesDialog.tsx'
import { Folders } from '../folders/Folders.tsx'
import { useMoveFiles } from '../folders/queries.ts'
import { Subfolders } from '../folders/Subfolders.tsx'
import { FirstRun } from '../gallery/FirstRun.tsx'
import type { MoveRequest } from '../gallery/Gallery.tsx'
import { GalleryPage } from '../gallery/GalleryPage.tsx'
import { favouritesOf, unfiltered, useGalleryAddress, writeAddress } from '../gallery/gallery-address.ts'
import { useStartView } from '../gallery/start-view.ts'
import { useCan, useMe } from '../kit/me.tsx'
import { ShareDialog } from '../links/ShareDialog.tsx'
import { TagDialog } from '../tags/TagDialog.tsx'
import { ChoosingBar } from './ChoosingBar.tsx'
import { chooseFor, useChoosingFor } from './choosing-store.ts'
import { PhotoViewer } from './LazyPhotoViewer.tsx'
import { Places } from './Places.tsx'
import { texts } from './texts.ts'
import { UploadButton } from './UploadButton.tsx'

// Loaded on demand: only an empty library shows it.
const InviteButton = lazy(async () => ({
  default: (await import('../admin/invitations/InviteButton.tsx')).InviteButton,
}))

/** The gallery, combined with folders, upload, tags and the viewer. */
export function HomePage() {
  const [address, change] = useGalleryAddress()
  useStartView()
  const { folder } = address
  const favourites = favouritesOf(address)
  const me = useMe()
  const move = useMoveFiles()
  const mayEdit = useCan('media.edit')
  const mayShare = useCan('links.make')
  const mayFill = useCan('albums.edit')
  const navigate = useNavigate()
  const uploadButton = <UploadButton label={texts.uploadFiles} />
  return (
    <GalleryPage
      panel={
        <Folders
          selected={favourites === null ? (folder ?? 'all') : null}
          renderPlaces={onChosen => (
            <Places current={favourites !== null && favourites === me?.id ? 'favourites' : null} onChosen={onChosen} />
          )}
          onSelect={item => change(unfiltered(item === 'all' ? null : item))}
          onFilesDropped={(folderId, fileIds) => void move.run({ body: { fileIds, folderId } })}
        />
      }
      subfolders={
        <>
          <ChoosingBar />
          {typeof folder === 'number' && (
            <Subfolders folderId={folder} hrefOf={id => `/?${writeAddress({ ...address, ...unfiltered(id) })}`} />
          )}
        </>
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
      renderAddToAlbum={mayFill ? request => <AddFiles {...request} /> : undefined}
      renderSave={
        mayFill
          ? request => <NewAlbumDialog {...request} onCreated={({ id }) => void navigate(albumPath(id))} />
          : undefined
      }
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

/** To the album that the person is choosing photos for, else to one that they choose in a dialog. */
function AddFiles({ fileIds, onClose, onMoved }: MoveRequest) {
  const album = useChoosingFor()
  if (album === null) return <AddToAlbumDialog fileIds={fileIds} onClose={onClose} onAdded={onMoved} />
  return <AddTo id={album.id} fileIds={fileIds} onClose={onClose} />
}

/** Adds them at once and goes back to the album. */
function AddTo({ id, fileIds, onClose }: { id: number } & Pick<MoveRequest, 'fileIds' | 'onClose'>) {
  const navigate = useNavigate()
  const { run } = useAddToAlbum()
  const add = useEffectEvent(async () => {
    const worked = await run({ params: { id }, body: { fileIds: [...fileIds] } })
    onClose()
    if (!worked) return
    chooseFor(null)
    void navigate(albumPath(id))
  })
  useEffect(() => {
    void add()
  }, [])
  return null
}
