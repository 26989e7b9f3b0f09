import { Dialog } from '@base-ui/react/dialog'
import type { MouseEvent, ReactNode, RefObject } from 'react'
import { isWriting } from './keys.ts'
import { useFocusInside } from './useFocusInside.ts'

interface Props {
  viewer: RefObject<HTMLDivElement | null>
  fullscreen: { on: boolean; leave: () => void }
  /** Whether the photo stands alone, without any tools. */
  bare: boolean
  narrow: boolean
  onClose: () => void
  children: ReactNode
}

/** What is around the photo: over everything else, with the focus and Escape kept inside. */
export function ViewerDialog({ viewer, fullscreen, bare, narrow, onClose, children }: Props) {
  useFocusInside(viewer)

  /** Menus have closed themselves before; then a field is left, then full screen, then the photo. */
  function onEscape() {
    const { activeElement } = document
    const writing = activeElement !== null && viewer.current?.contains(activeElement) && isWriting(activeElement)
    if (writing) viewer.current?.focus()
    else if (fullscreen.on) fullscreen.leave()
    else onClose()
  }

  /** Whoever pressed a button with the mouse goes on with the keys of the viewer, not with those of the button. */
  function onPressed({ target, detail }: MouseEvent) {
    if (!(target instanceof Element) || viewer.current?.contains(target) !== true) return
    const goesOnThere = target.closest('aside, [aria-haspopup], [role=menu]') !== null
    if (detail > 0 && !goesOnThere) viewer.current.focus({ preventScroll: true })
  }
  return (
    <Dialog.Root
      open
      disablePointerDismissal
      onOpenChange={(_, { reason }) => (reason === 'escape-key' ? onEscape() : onClose())}
    >
      <Dialog.Portal>
        <Dialog.Popup
          ref={viewer}
          // A note that is to be written has taken it already.
          initialFocus={() => (viewer.current?.contains(document.activeElement) ? false : viewer.current)}
          finalFocus={false}
          onClick={onPressed}
          data-fullscreen={fullscreen.on || undefined}
          data-idle={bare || undefined}
          data-narrow={narrow || undefined}
          className="viewer"
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
