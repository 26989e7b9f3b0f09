import { Button } from '@base-ui/react/button'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  label: string
}

/** A round button on top of a photo. */
export function ViewerButton({ label, children, ...rest }: Props) {
  return (
    // A zoom button keeps the focus when its limit is reached.
    <Button {...rest} focusableWhenDisabled aria-label={label} title={label} className="viewer-button">
      {children}
    </Button>
  )
}
