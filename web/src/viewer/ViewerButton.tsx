import { Button } from '@base-ui/react/button'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  label: string
  /** The beginning of the label, where the action bar has too little room for all of it. */
  shortLabel?: string
  /** What a mouse shows, if more than the label. */
  tooltip?: string
}

/** A button of the viewer: round over a photo, and with its label in the action bar of a phone. */
export function ViewerButton({ label, shortLabel = label, tooltip = label, children, ...rest }: Props) {
  return (
    // A zoom button keeps the focus when its limit is reached.
    <Button {...rest} focusableWhenDisabled aria-label={label} title={tooltip} className="viewer-button">
      {children}
      <span className="viewer-button-label">{shortLabel}</span>
    </Button>
  )
}
