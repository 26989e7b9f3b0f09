import { Download, EllipsisVertical, FolderInput, ShieldCheck, Tag, Trash2, X } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { Dock } from '../../ui/Dock.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { texts } from '../texts.ts'

interface Props {
  count: number
  deleting: boolean
  onDelete: () => void
  onClear: () => void
  onDownload: () => void
  onRehash: () => void
  /** Opens the menu of the one file that is selected: on touch screens, where files have no button for it. */
  onMore: (anchor: Element) => void
  /** Absent where files cannot be moved or tagged. */
  onMove?: (() => void) | undefined
  onTag?: (() => void) | undefined
}

/** What can be done with all that is selected. Rises from below; the page keeps room for it. */
export function BulkBar({ count, deleting, onDelete, onClear, onDownload, onRehash, onMore, onMove, onTag }: Props) {
  return (
    <Dock open={count > 0} label={texts.bulk}>
      <IconButton label={texts.clearSelection} onClick={onClear}>
        <X aria-hidden="true" className="size-5" />
      </IconButton>
      <p role="status" className="mr-auto font-semibold">
        {texts.selected(count)}
      </p>
      {onMove !== undefined && (
        <Button icon={<FolderInput aria-hidden="true" className="size-5" />} onClick={onMove}>
          <span className="sr-only lg:not-sr-only">{texts.move}</span>
        </Button>
      )}
      {onTag !== undefined && (
        <Button icon={<Tag aria-hidden="true" className="size-5" />} onClick={onTag}>
          <span className="sr-only lg:not-sr-only">{texts.tag}</span>
        </Button>
      )}
      <Button icon={<Download aria-hidden="true" className="size-5" />} onClick={onDownload}>
        <span className="sr-only lg:not-sr-only">{texts.download.label}</span>
      </Button>
      <Button icon={<ShieldCheck aria-hidden="true" className="size-5" />} onClick={onRehash}>
        <span className="sr-only lg:not-sr-only">{texts.rehash.label}</span>
      </Button>
      <Button
        variant="dangerQuiet"
        busy={deleting}
        icon={<Trash2 aria-hidden="true" className="size-5" />}
        onClick={onDelete}
      >
        <span className="sr-only sm:not-sr-only">{texts.delete.label}</span>
      </Button>
      {count === 1 && (
        <IconButton label={texts.moreActions} aria-haspopup="menu" onClick={event => onMore(event.currentTarget)}>
          <EllipsisVertical aria-hidden="true" className="size-5" />
        </IconButton>
      )}
    </Dock>
  )
}
