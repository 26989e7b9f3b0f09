import { Menu as BaseMenu } from '@base-ui/react/menu'
import { type ReactNode, useRef, useState } from 'react'

interface Props {
  /** What it opens from; null: closed. */
  anchor: Element | null
  label: string
  onClose: () => void
  children: ReactNode
}

/**
 * One menu for many triggers, which are plain buttons: a grid of a thousand cells needs no thousand menus. It belongs to
 * the part of the page it stands in.
 */
export function AnchoredMenu({ anchor, label, onClose, children }: Props) {
  // Where it stands while it fades out; null before its first use.
  const [place, setPlace] = useState(anchor)
  if (anchor !== null && anchor !== place) setPlace(anchor)
  const home = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)

  /** Back to where it came from, unless what was chosen has taken the focus elsewhere. */
  function nextFocus(): HTMLElement | false {
    const { activeElement } = document
    const ours = activeElement === document.body || popup.current?.contains(activeElement)
    return ours && place instanceof HTMLElement ? place : false
  }
  return (
    <div ref={home} className="contents">
      {place !== null && (
        <BaseMenu.Root open={anchor !== null} onOpenChange={open => !open && onClose()}>
          <BaseMenu.Portal container={home}>
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
      )}
    </div>
  )
}
