import { Button as BaseButton } from '@base-ui/react/button'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  /** Said to those who cannot see the icon, and shown to those who rest on it. */
  label: string
}

/** A square of 44 px with an icon in it; popups use it as their trigger through `render`. */
export function IconButton({ label, children, ...rest }: Props) {
  return (
    <BaseButton
      {...rest}
      aria-label={label}
      title={label}
      className="inline-flex size-touch shrink-0 items-center justify-center rounded-control text-ink motion-quick transition-colors hover:bg-sunken data-popup-open:bg-sunken"
    >
      {children}
    </BaseButton>
  )
}
