import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { type Album, getAlbum } from '#contract/albums.ts'
import { albumPath } from '../albums/album-path.ts'
import { useAddToAlbum, useOwnsAlbum } from '../albums/queries.ts'
import { texts as albumTexts } from '../albums/texts.ts'
import { FolderPath, Subfolders } from '../folders/Subfolders.tsx'
import type { Choosing } from '../gallery/actions/ChoosingBar.tsx'
import { useSearchWords } from '../gallery/filter-labels.ts'
import type { SaveRequest } from '../gallery/Gallery.tsx'
import { GalleryPage } from '../gallery/GalleryPage.tsx'
import {
  folderOf,
  type GalleryAddress,
  onlyFilter,
  onlyFolder,
  useGalleryAddress,
  writeAddress,
} from '../gallery/gallery-address.ts'
import { useStartView } from '../gallery/start-view.ts'
import { useUnderstoodSearch } from '../gallery/understood/understood-search.ts'
import { useCan } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { GalleryTop } from '../memories/GalleryTop.tsx'
import { useHideMemoryItems } from '../memories/HideMemoryItems.tsx'
import { prefetchedDialog } from '../ui/prefetched-lazy.ts'
import { useAllowedDialogs } from './file-dialogs.tsx'
import { PhotoViewer } from './LazyPhotoViewer.tsx'
import { texts } from './texts.ts'
import { UploadButton } from './UploadButton.tsx'

const FolderTools = prefetchedDialog(async () => (await import('./FolderTools.tsx')).FolderTools)
const NewAlbumDialog = prefetchedDialog(async () => (await import('../albums/AlbumDialogs.tsx')).NewAlbumDialog)
const EditSearchBar = prefetchedDialog(async () => (await import('../albums/EditSearchBar.tsx')).EditSearchBar)

// Loaded on demand: only an empty library shows them.
const FirstRun = lazy(async () => ({ default: (await import('../gallery/FirstRun.tsx')).FirstRun }))
const InviteButton = lazy(async () => ({
  default: (await import('../admin/invitations/InviteButton.tsx')).InviteButton,
}))

/** The gallery, combined with folders, upload, tags and the viewer. */
export function HomePage() {
  const [address, change] = useGalleryAddress()
  useStartView()
  const folder = folderOf(address)
  const mayFill = useCan('albums.edit')
  const navigate = useNavigate()
  const { shown } = useUnderstoodSearch(address)
  const filled = useFilledAlbum(address)
  const ownsFilled = useOwnsAlbum(filled)
  const choosing = useChoosing(filled)
  const dialogs = useAllowedDialogs()
  const hideMemoryItems = useHideMemoryItems(address.filter.memory ?? null, () =>
    change({ ...onlyFolder(null), file: null, note: null }),
  )
  const uploadButton = <UploadButton label={texts.uploadFiles} />
  const hrefOf = (id: number | null) => `/?${writeAddress({ ...address, ...onlyFolder(id) })}`
  return (
    <GalleryPage
      top={<GalleryTop />}
      renderPath={compact =>
        typeof folder === 'number' && <FolderPath folderId={folder} hrefOf={hrefOf} compact={compact} />
      }
      subfolders={
        typeof folder === 'number' && (
          <>
            <FolderTools folderId={folder} />
            <Subfolders folderId={folder} hrefOf={hrefOf} />
          </>
        )
      }
      uploadButton={uploadButton}
      empty={
        <Suspense fallback={null}>
          <FirstRun uploadButton={uploadButton} inviteButton={<InviteButton variant="primary" />} />
        </Suspense>
      }
      dialogs={dialogs}
      choosing={choosing}
      bar={ownsFilled && filled?.search != null ? <EditSearchBar album={filled} search={shown.filter} /> : undefined}
      renderSave={
        mayFill
          ? request => <SaveSearchDialog {...request} onCreated={({ id }) => void navigate(albumPath(id))} />
          : undefined
      }
      renderViewer={viewed => (
        <Suspense fallback={null}>
          <PhotoViewer
            viewed={viewed}
            menuItems={hideMemoryItems(viewed)}
            onSearch={search => change({ ...onlyFilter({ search }), file: null, note: null })}
          />
        </Suspense>
      )}
    />
  )
}

function SaveSearchDialog(props: SaveRequest & { onCreated: (album: Album) => void }) {
  return <NewAlbumDialog {...props} searchWords={useSearchWords(props.search)} />
}

/** The album that photos or filters are being chosen for; undefined: none, or it is gone. */
function useFilledAlbum({ addTo }: GalleryAddress): Album | undefined {
  const mayFill = useCan('albums.edit')
  const wanted = {
    ...query(getAlbum, { params: { id: addTo ?? 0 } }, albumTexts.loadFailed),
    enabled: addTo !== null && mayFill,
  }
  const { data: album } = useQuery(wanted)
  return addTo === null ? undefined : album
}

function useChoosing(album: Album | undefined): Choosing | undefined {
  const navigate = useNavigate()
  const { run, busy } = useAddToAlbum()
  if (album === undefined || album.search !== null) return undefined
  const { id, title } = album

  // Replaced, so that Back does not start choosing again.
  const leave = () => navigate(albumPath(id), { replace: true })
  return {
    label: albumTexts.choosing.label({ title }),
    addLabel: count => albumTexts.choosing.add({ count, title }),
    cancelLabel: albumTexts.choosing.cancel,
    adding: busy,
    onAdd: fileIds => void run({ params: { id }, body: { fileIds: [...fileIds] } }).then(added => added && leave()),
    onCancel: () => void leave(),
  }
}
