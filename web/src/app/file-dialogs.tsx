import { lazy, Suspense } from 'react'
import { AddToAlbumDialog } from '../albums/AddToAlbumDialog.tsx'
import { MoveFilesDialog } from '../folders/dialogs/MoveFilesDialog.tsx'
import type { FileDialogs } from '../gallery/actions/file-dialogs.ts'
import { useCan } from '../kit/me.tsx'
import { prefetchedLazy } from '../kit/prefetched-lazy.ts'
import { ShareDialog } from '../links/ShareDialog.tsx'
import { TagDialog } from '../tags/TagDialog.tsx'

// Not for the first screen: it brings the choice of a time zone.
const ChangeDateDialog = prefetchedLazy(async () => (await import('../dates/ChangeDateDialog.tsx')).ChangeDateDialog)
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
      date: ({ fileIds, onClose }) => (
        <Suspense fallback={null}>
          <ChangeDateDialog fileIds={fileIds} onClose={onClose} />
        </Suspense>
      ),
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
