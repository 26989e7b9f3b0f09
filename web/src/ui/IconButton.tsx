import { Button as BaseButton } from '@base-ui/react/button'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  /** The accessible name and the tooltip. */
  label: string
  /** Keeps the focus when a press disables it. */
  focusableWhenDisabled?: boolean
}

/** A square with an icon. Popups use it as their trigger through `render`. */
export function IconButton({ label, children, ...rest }: Props) {
  return (
    <BaseButton
      {...rest}
      aria-label={label}
      title={label}
      className="inline-flex size-touch shrink-0 items-center justify-center rounded-control text-ink motion-quick transition-colors not-data-disabled:hover:bg-sunken data-popup-open:bg-sunken data-disabled:cursor-default data-disabled:opacity-35"
    >
      {children}
    </BaseButton>
  )
}
