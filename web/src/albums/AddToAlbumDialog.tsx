import { Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Album } from '#contract/albums.ts'
import { formatPhotos } from '../kit/format.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { useIsMounted } from '../ui/hooks.ts'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { ScrollSentinel } from '../ui/ScrollSentinel.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { AlbumCover } from './AlbumCover.tsx'
import { NewAlbumDialog } from './AlbumDialogs.tsx'
import { useAddToAlbum, useAlbums } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  fileIds: readonly number[]
  onClose: () => void
  onAdded?: () => void
}

/** Asks for an album, or makes one. Open while it is mounted. */
export function AddToAlbumDialog({ fileIds, onClose, onAdded }: Props) {
  const [search, setSearch] = useState('')
  const [creating, setCreating] = useState(false)
  const shownSearch = useDeferredValue(search)
  const add = useAddToAlbum()
  const isMounted = useIsMounted()

  function done() {
    onAdded?.()
    if (isMounted()) onClose()
  }

  async function addTo({ id }: Album) {
    if (await add.run({ params: { id }, body: { fileIds: [...fileIds] } })) done()
  }
  if (creating) {
    return (
      <NewAlbumDialog fileIds={fileIds} title={search.trim()} onClose={() => setCreating(false)} onCreated={done} />
    )
  }
  return (
    <Dialog open onOpenChange={open => open || onClose()} title={texts.add.title({ count: fileIds.length })}>
      <Button icon={<Plus aria-hidden="true" className="size-5" />} onClick={() => setCreating(true)}>
        {texts.add.new}
      </Button>
      <SearchField
        label={texts.add.search}
        placeholder={texts.add.search}
        clearLabel={texts.add.clear}
        value={search}
        onChange={setSearch}
      />
      <Choices search={shownSearch} busy={add.busy} onChoose={album => void addTo(album)} />
      <DialogButtons>
        <Button onClick={onClose}>{texts.form.cancel}</Button>
      </DialogButtons>
    </Dialog>
  )
}

interface ChoicesProps {
  search: string
  busy: boolean
  onChoose: (album: Album) => void
}

function Choices({ search, busy, onChoose }: ChoicesProps) {
  const albums = useAlbums(search)
  if (albums.data === undefined) return <LoadingOrError query={albums} texts={texts} />
  const loaded = albums.data.pages.flat()
  const filled = loaded.filter(album => album.search === null)
  if (filled.length === 0 && !albums.hasNextPage) {
    return search === '' ? null : <p className="text-ink-soft">{texts.add.none}</p>
  }
  return (
    <ul aria-label={texts.list} className="-mx-2 flex max-h-[45svh] flex-col overflow-y-auto">
      {filled.map(album => (
        <li key={album.id}>
          <button type="button" disabled={busy} className="album-choice" onClick={() => onChoose(album)}>
            <AlbumCover album={album} className="size-12 shrink-0" />
            <span className="min-w-0 flex-1 text-left">
              <span className="block truncate font-semibold" dir="auto">
                {album.title}
              </span>
              <span className="block text-fine text-ink-soft">{formatPhotos(album.file_count)}</span>
            </span>
          </button>
        </li>
      ))}
      {albums.hasNextPage && !albums.isFetchingNextPage && (
        <li>
          <ScrollSentinel key={loaded.length} margin={200} onVisible={() => void albums.fetchNextPage()} />
        </li>
      )}
    </ul>
  )
}
