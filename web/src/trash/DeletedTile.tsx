import { Check, Expand, FileVideo, Image } from 'lucide-react'
import { DAY } from '#contract/limits.ts'
import type { DeletedFile } from '#contract/trash.ts'
import { texts } from './texts.ts'

interface Props {
  file: DeletedFile
  showWho: boolean
  selected: boolean
  onToggle: () => void
  onEnlarge: () => void
}

/** A deleted photo or video. A click selects it. */
export function DeletedTile({ file, showWho, selected, onToggle, onEnlarge }: Props) {
  const days = Math.ceil((Date.parse(file.purged_at) - Date.now()) / DAY)
  const left = days <= 1 ? texts.lastDay : texts.daysLeft({ days })
  const who = showWho && file.deleted_by !== null ? file.deleted_by.name : null
  const name = [file.original_name, left, ...(who === null ? [] : [texts.deletedBy({ name: who })])].join(', ')
  return (
    <li className="relative aspect-square [contain-intrinsic-size:9rem] [content-visibility:auto]">
      <button
        type="button"
        aria-pressed={selected}
        aria-label={name}
        title={name}
        onClick={onToggle}
        className={`relative size-full overflow-hidden rounded-[4px] bg-sunken ${selected ? 'outline-2 outline-accent -outline-offset-2' : ''}`}
      >
        <Picture file={file} inset={selected} />
        <span className="photo-text absolute bottom-1 left-1 max-w-[calc(100%-8px)] truncate rounded-full px-2 py-0.5 text-fine">
          {left}
          {who !== null && <bdi> · {who}</bdi>}
        </span>
        <span
          className={`absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-full ${selected ? 'bg-accent text-accent-ink' : 'photo-text border-2 border-current'}`}
        >
          {selected && <Check aria-hidden="true" className="size-4" />}
        </span>
      </button>
      {file.preview_url !== null && (
        <button
          type="button"
          aria-label={texts.enlarge({ name: file.original_name })}
          title={texts.enlarge({ name: file.original_name })}
          onClick={onEnlarge}
          className="absolute top-0 right-0 grid size-touch place-items-center"
        >
          <span className="photo-text grid size-8 place-items-center rounded-full">
            <Expand aria-hidden="true" className="size-4" />
          </span>
        </button>
      )}
    </li>
  )
}

function Picture({ file, inset }: { file: DeletedFile; inset: boolean }) {
  const place = `absolute object-cover motion-quick transition-[inset] ${inset ? 'inset-2.5 size-[calc(100%-20px)] rounded-[4px]' : 'inset-0 size-full'}`
  if (file.thumbnail_url !== null) return <img src={file.thumbnail_url} alt="" loading="lazy" className={place} />
  const Icon = file.file_type === 'video' ? FileVideo : Image
  return (
    <span className="grid size-full place-items-center text-ink-soft">
      <Icon aria-hidden="true" className="size-8" />
    </span>
  )
}
