import { Menu as BaseMenu } from '@base-ui/react/menu'
import { type ReactNode, useRef, useState } from 'react'
import { CloseOnBack } from './CloseOnBack.tsx'

interface Props {
  /** The element it opens next to; null: closed. */
  anchor: Element | null
  label: string
  onClose: () => void
  children: ReactNode
}

/**
 * One menu shared by many plain buttons, so that a grid of a thousand cells does not need a thousand menus. Rendered in
 * place, so that it works inside dialogs.
 */
export function AnchoredMenu({ anchor, label, onClose, children }: Props) {
  // The last anchor, for the position while fading out.
  const [lastAnchor, setLastAnchor] = useState(anchor)
  if (anchor !== null && anchor !== lastAnchor) setLastAnchor(anchor)
  const home = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)

  /** Back to the anchor, unless the chosen action moved the focus. */
  function nextFocus(): HTMLElement | false {
    const { activeElement } = document
    const ours = activeElement === document.body || popup.current?.contains(activeElement)
    return ours && lastAnchor instanceof HTMLElement ? lastAnchor : false
  }
  return (
    <div ref={home} className="contents">
      {lastAnchor !== null && (
        <BaseMenu.Root open={anchor !== null} onOpenChange={open => !open && onClose()}>
          <BaseMenu.Portal container={home}>
            <BaseMenu.Positioner anchor={lastAnchor} align="end" sideOffset={4} collisionPadding={12} className="z-50">
              <BaseMenu.Popup
                ref={popup}
                aria-label={label}
                finalFocus={nextFocus}
                className="popup max-h-(--available-height) min-w-[min(13rem,100vw-24px)] max-w-[calc(100vw-24px)] overflow-y-auto p-2"
              >
                <CloseOnBack onBack={onClose} />
                {children}
              </BaseMenu.Popup>
            </BaseMenu.Positioner>
          </BaseMenu.Portal>
        </BaseMenu.Root>
      )}
    </div>
  )
}
