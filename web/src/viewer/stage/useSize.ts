import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Size } from './zoom.ts'

/** The size of an element, as it changes. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    if (element.current === null) return
    const measure = ({ clientWidth, clientHeight }: HTMLElement) =>
      setSize(before =>
        before.width === clientWidth && before.height === clientHeight
          ? before
          : { width: clientWidth, height: clientHeight },
      )
    const holder = element.current
    measure(holder)
    const observer = new ResizeObserver(() => measure(holder))
    observer.observe(holder)
    return () => observer.disconnect()
  }, [element])
  return size
}
