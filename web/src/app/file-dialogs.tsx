import { lazy, Suspense } from 'react'
import type { FileDialogs } from '../gallery/actions/file-dialogs.ts'
import { useCan } from '../kit/me.tsx'
import { prefetchedDialog } from '../ui/prefetched-lazy.ts'

const MoveFilesDialog = prefetchedDialog(
  async () => (await import('../folders/dialogs/MoveFilesDialog.tsx')).MoveFilesDialog,
)
const TagDialog = prefetchedDialog(async () => (await import('../tags/TagDialog.tsx')).TagDialog)
const ChangeDateDialog = prefetchedDialog(async () => (await import('../dates/ChangeDateDialog.tsx')).ChangeDateDialog)
const ShareDialog = prefetchedDialog(async () => (await import('../links/ShareDialog.tsx')).ShareDialog)
const AddToAlbumDialog = prefetchedDialog(async () => (await import('../albums/AddToAlbumDialog.tsx')).AddToAlbumDialog)
// Loaded on demand: it brings the map.
const PlaceDialog = lazy(async () => ({ default: (await import('../places/PlaceDialog.tsx')).PlaceDialog }))

/** The dialogs that this person may use wherever files are listed. */
export function useAllowedDialogs(): FileDialogs {
  const mayEdit = useCan('media.edit')
  const mayShare = useCan('links.make')
  const mayFill = useCan('albums.edit')
  return {
    ...(mayEdit && {
      move: request => <MoveFilesDialog {...request} />,
      tag: ({ fileIds, onClose }) => <TagDialog fileIds={fileIds} onClose={onClose} />,
      date: ({ fileIds, onClose }) => <ChangeDateDialog fileIds={fileIds} onClose={onClose} />,
      place: ({ fileIds, onClose }) => (
        <Suspense fallback={null}>
          <PlaceDialog fileIds={fileIds} onClose={onClose} />
        </Suspense>
      ),
    }),
    ...(mayShare && { share: ({ fileIds, onClose }) => <ShareDialog fileIds={fileIds} onClose={onClose} /> }),
    ...(mayFill && {
      addToAlbum: ({ onMoved, ...request }) => <AddToAlbumDialog {...request} onAdded={onMoved} />,
    }),
  } satisfies FileDialogs
}
