import { useCallback, useState } from 'react'
import { atRest, type Look, nextStep, turned, zoomed } from './stage/zoom.ts'

/** How the open file is looked at. Every file begins at rest. */
export function useLook(id: number) {
  const [{ of, look }, setState] = useState({ of: id, look: atRest })
  const setLook = useCallback((look: Look) => setState({ of: id, look }), [id])
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
