import './albums.css'
import { BookImage, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCan } from '../kit/me.tsx'
import { useWaitingCalls } from '../kit/outbox/page-outbox.ts'
import { WaitingList } from '../outbox/WaitingList.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { AddToAlbumDialog } from './AddToAlbumDialog.tsx'
import { albumPath } from './album-path.ts'
import { useAlbumsOfFile, useRemoveFromAlbum } from './queries.ts'
import { texts } from './texts.ts'

/** The albums of a file with who added it, in the viewer's panel. */
export function AlbumsOfFile({ fileId }: { fileId: number }) {
  const { data } = useAlbumsOfFile(fileId)
  const waiting = useWaitingCalls().filter(call => call.kind === 'album' && call.files.includes(fileId))
  const albums = data ?? (waiting.length > 0 ? [] : undefined)
  const [adding, setAdding] = useState(false)
  const mayAdd = useCan('albums.edit')
  const remove = useRemoveFromAlbum()
  if (albums === undefined || (albums.length + waiting.length === 0 && !mayAdd)) return null
  return (
    <section aria-labelledby="file-albums" className="flex flex-col gap-2">
      <h3 id="file-albums" className="font-semibold">
        {texts.ofFile.heading}
      </h3>
      {albums.length > 0 && (
        <ul className="flex flex-col">
          {albums.map(({ id, title, added_by, guest, removable }) => (
            <li key={id} className="flex min-h-touch items-center justify-between gap-2">
              <p className="min-w-0">
                <Link to={albumPath(id)} className="font-semibold text-accent underline-offset-4 hover:underline">
                  <bdi>{title}</bdi>
                </Link>
                <span className="block text-fine text-ink-soft">
                  {guest === null
                    ? texts.ofFile.addedBy({ name: added_by.name })
                    : texts.ofFile.addedByGuest({ name: guest })}
                </span>
              </p>
              {removable && (
                <IconButton
                  label={texts.ofFile.remove({ title })}
                  onClick={() => void remove.run({ params: { id }, body: { fileIds: [fileId] } })}
                >
                  <X aria-hidden="true" className="size-4" />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <WaitingList calls={waiting.filter(call => call.state === 'waiting')} />
      {mayAdd && (
        <Button icon={<BookImage aria-hidden="true" className="size-5" />} onClick={() => setAdding(true)}>
          {texts.add.label}
        </Button>
      )}
      {adding && <AddToAlbumDialog fileIds={[fileId]} onClose={() => setAdding(false)} />}
    </section>
  )
}
