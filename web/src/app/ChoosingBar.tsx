import { useNavigate } from 'react-router'
import { albumPath } from '../albums/AlbumsPage.tsx'
import { texts } from '../albums/texts.ts'
import { Button } from '../ui/Button.tsx'
import { chooseFor, useChoosingFor } from './choosing-store.ts'

/** Says in the gallery that photos are being chosen for an album. */
export function ChoosingBar() {
  const album = useChoosingFor()
  const navigate = useNavigate()
  if (album === null) return null

  function cancel(id: number) {
    chooseFor(null)
    void navigate(albumPath(id))
  }
  return (
    <div
      role="status"
      className="my-1 flex flex-wrap items-center justify-between gap-2 rounded-card bg-accent-wash px-3 py-1"
    >
      <p className="min-w-0 truncate font-semibold" dir="auto">
        {texts.choosing.label(album.title)}
      </p>
      <Button variant="bare" onClick={() => cancel(album.id)}>
        {texts.choosing.cancel}
      </Button>
    </div>
  )
}
