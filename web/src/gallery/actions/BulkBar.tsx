import {
  BookImage,
  BookMinus,
  CalendarClock,
  Download,
  EllipsisVertical,
  FolderInput,
  Heart,
  HeartOff,
  Link2,
  type LucideIcon,
  MapPin,
  ShieldCheck,
  Tag,
  Trash2,
  X,
} from 'lucide-react'
import { texts as heartTexts } from '../../hearts/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dock } from '../../ui/Dock.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { useScreen } from '../../ui/use-screen.ts'
import { texts } from '../texts.ts'

interface Props {
  count: number
  deleting: boolean
  onClear: () => void
  onDownload: () => void
  /** Whether all of them are favourites. */
  hearted: boolean
  /** Absent for people who may not. */
  onHeart: ((hearted: boolean) => void) | undefined
  /** Opens the menu of the single selected file, for touch screens, where tiles have no menu button. */
  onMore: (anchor: Element) => void
  /** The rest is absent where files cannot be changed. */
  onDelete?: (() => void) | undefined
  onRehash?: (() => void) | undefined
  onMove?: (() => void) | undefined
  onTag?: (() => void) | undefined
  onDate?: (() => void) | undefined
  onShare?: (() => void) | undefined
  onPlace?: (() => void) | undefined
  onAddToAlbum?: (() => void) | undefined
  /** Absent outside an album. */
  onRemoveFromAlbum?: (() => void) | undefined
}

/** The actions on the selected files, docked at the bottom. */
export function BulkBar(props: Props) {
  const { count, deleting, onDelete, onClear, onDownload, onRehash, onMore, onMove, onTag } = props
  const { hearted, onHeart } = props
  const { onDate, onPlace, onShare, onAddToAlbum, onRemoveFromAlbum } = props
  return (
    <Dock open={count > 0} label={texts.bulk}>
      <div className="flex w-full flex-wrap items-center gap-2 max-xl:gap-1">
        <IconButton label={texts.clearSelection} onClick={onClear}>
          <X aria-hidden="true" className="size-5" />
        </IconButton>
        <p role="status" className="mr-auto font-semibold">
          {texts.selected(count)}
        </p>
        <div className="flex flex-wrap justify-end gap-2 max-xl:gap-0.5 max-sm:order-last max-sm:grid max-sm:w-full max-sm:grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] max-sm:gap-1">
          {onMove !== undefined && (
            <ActionButton label={texts.move} shortLabel={texts.short.move} icon={FolderInput} onClick={onMove} />
          )}
          {onTag !== undefined && (
            <ActionButton label={texts.tag} shortLabel={texts.short.tag} icon={Tag} onClick={onTag} />
          )}
          {onAddToAlbum !== undefined && (
            <ActionButton
              label={texts.addToAlbum}
              shortLabel={texts.short.addToAlbum}
              icon={BookImage}
              onClick={onAddToAlbum}
            />
          )}
          {onRemoveFromAlbum !== undefined && (
            <ActionButton
              label={texts.removeFromAlbum}
              shortLabel={texts.short.removeFromAlbum}
              icon={BookMinus}
              onClick={onRemoveFromAlbum}
            />
          )}
          {onShare !== undefined && (
            <ActionButton label={texts.share} shortLabel={texts.short.share} icon={Link2} onClick={onShare} />
          )}
          {onHeart !== undefined && (
            <ActionButton
              label={hearted ? heartTexts.remove : heartTexts.add}
              shortLabel={texts.short.favourite}
              icon={hearted ? HeartOff : Heart}
              onClick={() => onHeart(!hearted)}
            />
          )}
          <ActionButton label={texts.download.label} icon={Download} onClick={onDownload} />
          {onDelete !== undefined && (
            <ActionButton
              label={texts.delete.label}
              icon={Trash2}
              variant="dangerQuiet"
              busy={deleting}
              onClick={onDelete}
            />
          )}
        </div>
        {count === 1 ? (
          <IconButton label={texts.moreActions} aria-haspopup="menu" onClick={event => onMore(event.currentTarget)}>
            <EllipsisVertical aria-hidden="true" className="size-5" />
          </IconButton>
        ) : (
          <RareActions onDate={onDate} onPlace={onPlace} onRehash={onRehash} />
        )}
      </div>
    </Dock>
  )
}

/** What few people need for several files; the menu of a single file has it, too. */
function RareActions({ onDate, onPlace, onRehash }: Pick<Props, 'onDate' | 'onPlace' | 'onRehash'>) {
  const actions = [
    { label: texts.changeDate, icon: CalendarClock, run: onDate },
    { label: texts.changePlace, icon: MapPin, run: onPlace },
    { label: texts.rehash.label, hint: texts.rehash.hint, icon: ShieldCheck, run: onRehash },
  ].filter(({ run }) => run !== undefined)
  if (actions.length === 0) return null
  return (
    <Menu
      trigger={
        <IconButton label={texts.moreActions}>
          <EllipsisVertical aria-hidden="true" className="size-5" />
        </IconButton>
      }
    >
      {actions.map(({ label, hint, icon: Icon, run }) => (
        <MenuItem key={label} icon={<Icon aria-hidden="true" className="size-5 shrink-0" />} onClick={() => run?.()}>
          <span>
            {label} {hint !== undefined && <span className="block text-fine text-ink-soft">{hint}</span>}
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}

interface ActionButtonProps {
  label: string
  /** Part of the label, so that all actions fit on one line. */
  shortLabel?: string
  icon: LucideIcon
  variant?: 'quiet' | 'dangerQuiet'
  busy?: boolean
  onClick: () => void
}

function ActionButton({ label, shortLabel, icon: Icon, variant = 'quiet', busy = false, onClick }: ActionButtonProps) {
  const wide = useScreen('xl')
  return (
    <Button
      variant={variant}
      busy={busy}
      textBelow={!wide}
      aria-label={label}
      title={label}
      icon={<Icon aria-hidden="true" className="size-5" />}
      onClick={onClick}
    >
      {shortLabel ?? label}
    </Button>
  )
}
