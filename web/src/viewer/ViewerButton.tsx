import { Button } from '@base-ui/react/button'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  label: string
}

/** A round button that can stand on a photo. */
export function ViewerButton({ label, children, ...rest }: Props) {
  return (
    // One that is pressed until nothing more happens keeps the focus.
    <Button {...rest} focusableWhenDisabled aria-label={label} title={label} className="viewer-button">
      {children}
    </Button>
  )
}
