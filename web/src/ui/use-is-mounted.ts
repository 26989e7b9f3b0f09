import { useCallback, useLayoutEffect, useRef } from 'react'

/** Tells whether the component is still on the page: an answer that comes late must not act where somebody has gone on. */
export function useIsMounted(): () => boolean {
  const here = useRef(false)
  useLayoutEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return useCallback(() => here.current, [])
}
