import { Menu as BaseMenu } from '@base-ui/react/menu'
import { type ReactNode, useRef, useState } from 'react'

interface Props {
  /** What it opens from; null: closed. */
  anchor: Element | null
  label: string
  onClose: () => void
  /** Where the focus goes when it closes; to the anchor where this is left out. */
  returnFocus?: () => void
  children: ReactNode
}

/** One menu for many triggers, which are plain buttons: a grid of a thousand cells needs no thousand menus. */
export function AnchoredMenu({ anchor, label, onClose, returnFocus, children }: Props) {
  // Where it stands while it fades out.
  const [place, setPlace] = useState(anchor)
  if (anchor !== null && anchor !== place) setPlace(anchor)
  const popup = useRef<HTMLDivElement>(null)

  /** Back to where it came from, unless what was chosen has taken the focus elsewhere. */
  function nextFocus(): HTMLElement | false {
    const { activeElement } = document
    const ours = activeElement === document.body || popup.current?.contains(activeElement)
    if (!ours) return false
    if (returnFocus === undefined) return place instanceof HTMLElement ? place : false
    returnFocus()
    return false
  }
  return (
    <BaseMenu.Root modal={false} open={anchor !== null} onOpenChange={open => !open && onClose()}>
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={place} align="end" sideOffset={4} collisionPadding={12} className="z-50">
          <BaseMenu.Popup
            ref={popup}
            aria-label={label}
            finalFocus={nextFocus}
            className="popup max-h-(--available-height) min-w-[min(13rem,100vw-24px)] max-w-[calc(100vw-24px)] overflow-y-auto p-2"
          >
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}
