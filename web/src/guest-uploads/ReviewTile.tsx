import { Check, CirclePlay, Expand, FileVideo, Image, TriangleAlert } from 'lucide-react'
import type { GuestUpload } from '#contract/guest-uploads.ts'
import { incompleteMark } from '../media/incomplete-text.ts'
import { texts } from './texts.ts'

interface Props {
  upload: GuestUpload
  /** Where files of several albums are listed. */
  namesAlbum: boolean
  selected: boolean
  onToggle: () => void
  onEnlarge: () => void
}

/** A file that a guest has sent; a click selects it. */
export function ReviewTile({ upload, namesAlbum, selected, onToggle, onEnlarge }: Props) {
  const { name, guest, album, thumbnail_url, preview_url, file_type, live } = upload
  const picture = preview_url ?? thumbnail_url
  const missing = upload.status === 'processing' ? texts.preparing : texts.noPicture
  const title = namesAlbum ? (album?.title ?? texts.albumDeleted) : undefined
  const facts = [
    name,
    live && texts.livePhoto,
    upload.incomplete !== null && incompleteMark,
    texts.from({ guest }),
    namesAlbum && (album === null ? texts.toDeletedAlbum : texts.to({ album: album.title })),
    picture === null && missing,
  ]
  const label = facts.filter(Boolean).join(', ')
  const EnlargeIcon = file_type === 'video' ? FileVideo : live ? CirclePlay : Expand
  const Icon = file_type === 'video' ? FileVideo : Image
  return (
    <li className="relative aspect-square [contain-intrinsic-size:15rem] [content-visibility:auto]">
      <button
        type="button"
        data-tile
        aria-pressed={selected}
        aria-label={label}
        title={label}
        onClick={onToggle}
        onDoubleClick={onEnlarge}
        className={`relative size-full overflow-hidden rounded-[4px] bg-sunken ${selected ? 'outline-2 outline-accent -outline-offset-2' : ''}`}
      >
        {picture !== null ? (
          <img
            src={picture}
            alt=""
            loading="lazy"
            className={`absolute object-cover motion-quick transition-[inset] ${selected ? 'inset-2.5 size-[calc(100%-20px)] rounded-[4px]' : 'inset-0 size-full'}`}
          />
        ) : (
          <span className="grid size-full place-items-center text-ink-soft">
            <Icon aria-hidden="true" className="size-8" />
          </span>
        )}
        {upload.incomplete !== null && (
          <span className="photo-text absolute bottom-8 left-1 flex items-center gap-1 rounded-full px-2 py-0.5 text-fine">
            <TriangleAlert aria-hidden="true" className="size-3.5" />
            {incompleteMark}
          </span>
        )}
        <span className="photo-text absolute bottom-1 left-1 max-w-[calc(100%-8px)] truncate rounded-full px-2 py-0.5 text-fine">
          <bdi>{guest}</bdi>
          {title !== undefined && (
            <>
              {' · '}
              <bdi>{title}</bdi>
            </>
          )}
        </span>
        <span
          className={`absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-full ${selected ? 'bg-accent text-accent-ink' : 'photo-text border-2 border-current'}`}
        >
          {selected && <Check aria-hidden="true" className="size-4" />}
        </span>
      </button>
      <button
        type="button"
        aria-label={texts.enlarge({ name })}
        title={texts.enlarge({ name })}
        onClick={onEnlarge}
        className="absolute top-0 right-0 grid size-touch place-items-center"
      >
        <span className="photo-text grid size-8 place-items-center rounded-full">
          <EnlargeIcon aria-hidden="true" className="size-4" />
        </span>
      </button>
    </li>
  )
}
