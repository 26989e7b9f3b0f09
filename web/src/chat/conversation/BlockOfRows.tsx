import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

interface Props {
  scroller: RefObject<HTMLElement | null>
  children: () => ReactNode
}

/** How far from the screen rows are still drawn. */
const MARGIN = 1_200

/** Rows that are drawn while they are near the screen. Far from it an empty box of their height keeps their place. */
export function BlockOfRows({ scroller, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    if (box.current === null) return
    const observer = new IntersectionObserver(
      entries => {
        const entry = entries.at(-1)
        if (entry !== undefined) setHeight(entry.isIntersecting ? null : entry.boundingClientRect.height)
      },
      { root: scroller.current, rootMargin: `${MARGIN}px 0px` },
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [scroller])
  return (
    <div ref={box} style={height === null ? undefined : { height }}>
      {height === null && children()}
    </div>
  )
}
