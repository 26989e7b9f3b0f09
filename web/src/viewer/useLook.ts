import { useCallback, useState } from 'react'
import { atRest, type Look, nextStep, turned, zoomed } from './stage/zoom.ts'

/** Zoom, position and rotation of the open file. They reset whenever another file is opened, also on the way back. */
export function useLook(id: number) {
  const [{ of, look }, setState] = useState({ of: id, look: atRest })
  const setLook = useCallback((look: Look) => setState({ of: id, look }), [id])
  if (of !== id) setState({ of: id, look: atRest })
  const current = of === id ? look : atRest
  const middle = { x: 0, y: 0 }
  return {
    look: current,
    setLook,
    zoomIn: () => setLook(zoomed(current, nextStep(current.scale, 1), middle)),
    zoomOut: () => setLook(zoomed(current, nextStep(current.scale, -1), middle)),
    rotate: () => setLook(turned(current)),
    reset: () => setLook(atRest),
  }
}
