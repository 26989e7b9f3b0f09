import { Select as BaseSelect } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { CloseOnBack } from './CloseOnBack.tsx'

interface Choice<Value extends string> {
  value: Value
  label: string
}

interface Props<Value extends string> {
  label: string
  value: Value
  choices: readonly Choice<Value>[]
  onChoose: (value: Value) => void
  /** Shown in place of the chosen label. */
  icon?: ReactNode
}

/** For a few options; see SelectField for many. */
export function Select<Value extends string>({ label, value, choices, onChoose, icon }: Props<Value>) {
  const actions = useRef<BaseSelect.Root.Actions>(null)
  // The popup stays in the page after its trigger had the focus, also while it is closed.
  const [open, setOpen] = useState(false)
  return (
    <BaseSelect.Root
      actionsRef={actions}
      onOpenChange={setOpen}
      items={choices}
      value={value}
      onValueChange={chosen => {
        if (chosen !== null) onChoose(chosen)
      }}
    >
      <BaseSelect.Trigger
        aria-label={label}
        title={icon === undefined ? undefined : label}
        className="inline-flex min-h-touch items-center justify-between gap-2 rounded-control border border-edge bg-raised py-1.25 pr-3 pl-4 font-semibold text-ink motion-quick transition-colors hover:bg-sunken"
      >
        {icon}
        <span className={icon === undefined ? undefined : 'sr-only'}>
          <BaseSelect.Value />
        </span>
        <BaseSelect.Icon>
          <ChevronDown aria-hidden="true" className="size-4 text-ink-soft" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner alignItemWithTrigger={false} sideOffset={8} collisionPadding={12} className="z-40">
          <BaseSelect.Popup className="popup max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto p-2">
            {open && <CloseOnBack onBack={() => actions.current?.close()} />}
            {choices.map(choice => (
              <BaseSelect.Item
                key={choice.value}
                value={choice.value}
                className="flex min-h-touch cursor-pointer select-none items-center gap-3 rounded-control px-3 py-2 data-highlighted:bg-sunken"
              >
                <BaseSelect.ItemText className="flex-1">{choice.label}</BaseSelect.ItemText>
                <BaseSelect.ItemIndicator>
                  <Check aria-hidden="true" className="size-5 text-accent" />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  )
}
