import { EllipsisVertical, type LucideIcon, X } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { CloseOnBack } from '../../ui/CloseOnBack.tsx'
import { Dock } from '../../ui/Dock.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { useScreen } from '../../ui/use-screen.ts'
import { texts } from '../texts.ts'

/** Something that can be done with several files. */
export interface BulkAction {
  label: string
  /** Part of the label, so that all actions fit on one line. */
  shortLabel?: string
  hint?: string
  icon: LucideIcon
  destructive?: boolean
  busy?: boolean
  run: () => void
}

interface Props {
  count: number
  onClear: () => void
  actions: readonly BulkAction[]
  /** In a menu. */
  rareActions: readonly BulkAction[]
  /** Opens the menu of the single selected file, for touch screens, where tiles have no menu button. */
  onMore: (anchor: Element) => void
}

/** The actions on the selected files, docked at the bottom. */
export function BulkBar({ count, onClear, actions, rareActions, onMore }: Props) {
  return (
    <Dock open={count > 0} label={texts.bulk}>
      <CloseOnBack onBack={onClear} />
      <div className="flex w-full flex-wrap items-center gap-2 max-xl:gap-1">
        <IconButton label={texts.clearSelection} onClick={onClear}>
          <X aria-hidden="true" className="size-5" />
        </IconButton>
        <p role="status" className="mr-auto font-semibold">
          {texts.selected({ count })}
        </p>
        <div className="flex flex-wrap justify-end gap-2 max-xl:gap-0.5 max-sm:order-last max-sm:grid max-sm:w-full max-sm:grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] max-sm:gap-1">
          {actions.map(action => (
            <ActionButton key={action.shortLabel ?? action.label} {...action} />
          ))}
        </div>
        {count === 1 ? (
          <IconButton label={texts.moreActions} aria-haspopup="menu" onClick={event => onMore(event.currentTarget)}>
            <EllipsisVertical aria-hidden="true" className="size-5" />
          </IconButton>
        ) : (
          <RareActions actions={rareActions} />
        )}
      </div>
    </Dock>
  )
}

/** What few people need for several files; the menu of a single file has it, too. */
function RareActions({ actions }: { actions: readonly BulkAction[] }) {
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
        <MenuItem key={label} icon={<Icon aria-hidden="true" className="size-5 shrink-0" />} onClick={run}>
          <span>
            {label} {hint !== undefined && <span className="block text-fine text-ink-soft">{hint}</span>}
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}

function ActionButton({ label, shortLabel, icon: Icon, destructive = false, busy = false, run }: BulkAction) {
  const wide = useScreen('xl')
  return (
    <Button
      variant={destructive ? 'dangerQuiet' : 'quiet'}
      busy={busy}
      textBelow={!wide}
      aria-label={label}
      title={label}
      icon={<Icon aria-hidden="true" className="size-5" />}
      onClick={run}
    >
      {shortLabel ?? label}
    </Button>
  )
}
