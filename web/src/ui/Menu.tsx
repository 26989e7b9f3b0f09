import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { CloseOnBack } from './CloseOnBack.tsx'

interface MenuProps {
  trigger: ReactElement
  /** Focused after closing with the mouse; by default, and always for the keyboard, the trigger. */
  focusAfterwards?: () => HTMLElement | null
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

/**
 * Rendered next to its trigger in the DOM, so that it works inside dialogs. There it must not be laid out as one more item
 * of the trigger's row.
 */
export function Menu({ trigger, focusAfterwards, onOpenChange, children }: MenuProps) {
  const container = useRef<HTMLDivElement>(null)
  const actions = useRef<BaseMenu.Root.Actions>(null)
  return (
    <div ref={container} className="contents">
      <BaseMenu.Root actionsRef={actions} {...(onOpenChange && { onOpenChange })}>
        <BaseMenu.Trigger render={trigger} />
        <BaseMenu.Portal container={container} className="contents">
          <BaseMenu.Positioner align="end" sideOffset={8} collisionPadding={12} className="z-30">
            <BaseMenu.Popup
              finalFocus={closedBy => {
                if (isInOtherDialog(container.current)) return false
                const target = closedBy === 'keyboard' ? null : focusAfterwards?.()
                // Given an element, Base UI would focus the first button inside it.
                target?.focus({ preventScroll: true })
                return !target
              }}
              className="popup max-h-(--available-height) min-w-[min(15rem,100vw-24px)] max-w-[calc(100vw-24px)] overflow-y-auto p-2 rail:p-1"
            >
              <CloseOnBack onBack={() => actions.current?.close()} />
              {children}
            </BaseMenu.Popup>
          </BaseMenu.Positioner>
        </BaseMenu.Portal>
      </BaseMenu.Root>
    </div>
  )
}

/** Whether an item has opened a dialog, which keeps the focus. */
function isInOtherDialog(menu: Element | null): boolean {
  const dialog = document.activeElement?.closest('[role=dialog], [role=alertdialog]') ?? null
  return dialog !== null && !dialog.contains(menu)
}

const itemClass =
  'flex min-h-touch w-full items-center gap-3 rounded-control px-3 py-2 text-ink select-none data-highlighted:bg-sunken data-disabled:text-ink-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent-strong'

export function MenuItem({
  icon,
  disabled = false,
  onClick,
  children,
}: {
  icon?: ReactNode
  disabled?: boolean
  onClick?: () => void
  children: ReactNode
}) {
  return (
    <BaseMenu.Item disabled={disabled} onClick={onClick} className={itemClass}>
      {icon}
      {children}
    </BaseMenu.Item>
  )
}

/** `link` is the anchor element, so that it can be opened in a new tab. */
export function MenuLink({ icon, link, children }: { icon?: ReactNode; link: ReactElement; children: ReactNode }) {
  return (
    <BaseMenu.LinkItem render={link} closeOnClick className={itemClass}>
      {icon}
      {children}
    </BaseMenu.LinkItem>
  )
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="my-2 h-px bg-line rail:my-1" />
}

interface Choice<Value extends string> {
  value: Value
  label: string
  /** The accessible name, where the label is an abbreviation. */
  name?: string
  icon?: ReactNode
}

export function MenuChoice<Value extends string>({
  label,
  value,
  choices,
  onChoose,
  closes = false,
  compact = false,
}: {
  label: string
  value: Value
  choices: readonly Choice<Value>[]
  onChoose: (value: Value) => void
  /** Whether choosing closes the menu. */
  closes?: boolean
  /** Several choices in a row instead of one below the other. */
  compact?: boolean
}) {
  if (compact) {
    return (
      <BaseMenu.RadioGroup value={value} onValueChange={onChoose}>
        <BaseMenu.GroupLabel className="px-3 pt-1 pb-1 text-fine text-ink-soft">{label}</BaseMenu.GroupLabel>
        <div className="grid grid-cols-4 gap-1 px-2 rail:grid-cols-7">
          {choices.map(choice => (
            <BaseMenu.RadioItem
              key={choice.value}
              value={choice.value}
              closeOnClick={closes}
              aria-label={choice.name}
              className="grid min-h-touch min-w-touch place-items-center rounded-control text-ink text-small tabular-nums select-none data-checked:bg-accent data-checked:text-accent-ink data-highlighted:not-data-checked:bg-sunken"
            >
              {choice.label}
            </BaseMenu.RadioItem>
          ))}
        </div>
      </BaseMenu.RadioGroup>
    )
  }
  return (
    <BaseMenu.RadioGroup value={value} onValueChange={onChoose}>
      <BaseMenu.GroupLabel className="px-3 pt-1 pb-1 text-fine text-ink-soft">{label}</BaseMenu.GroupLabel>
      {choices.map(choice => (
        <BaseMenu.RadioItem key={choice.value} value={choice.value} closeOnClick={closes} className={itemClass}>
          {choice.icon}
          <span className="flex-1">{choice.label}</span>
          <BaseMenu.RadioItemIndicator>
            <Check aria-hidden="true" className="size-5 text-accent" />
          </BaseMenu.RadioItemIndicator>
        </BaseMenu.RadioItem>
      ))}
    </BaseMenu.RadioGroup>
  )
}
