import { lazy, Suspense } from 'react'
import type { FilesRequest } from '../gallery/Gallery.tsx'

// Loaded on demand: it brings the map.
const PlaceDialog = lazy(async () => ({ default: (await import('../places/PlaceDialog.tsx')).PlaceDialog }))

/** The dialog that sets or clears the place of files. */
export function ChangePlace(request: FilesRequest) {
  return (
    <Suspense fallback={null}>
      <PlaceDialog {...request} />
    </Suspense>
  )
}
