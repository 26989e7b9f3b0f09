import { type RefObject, useEffect } from 'react'

/**
 * A page that is opened by a link to a photo takes the focus for itself just when the photo opens over it. The photo
 * takes it back, unless a note that is to be written has it.
 */
export function useFocusInside(viewer: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (viewer.current?.contains(document.activeElement) !== true) viewer.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [viewer])
}
