import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

interface Props {
  scroller: RefObject<HTMLElement | null>
  children: () => ReactNode
}

/** Rows within this distance of the screen are rendered, in pixels. */
const MARGIN = 1_200

/** Virtualization of the message list: a block far from the screen is replaced by an empty box of its height. */
export function MessageBlock({ scroller, children }: Props) {
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

/** Consecutive rows that are rendered together: from `from` (inclusive) to `to` (exclusive). */
interface Block {
  /** Stable when rows are added before or after it. */
  key: number
  from: number
  to: number
}

const SIZE = 40

/** Splits rows into blocks, counted from the pivot in both directions, so that added rows do not change existing blocks. */
export function splitIntoBlocks(count: number, pivot: number, size = SIZE): Block[] {
  const firstKey = -Math.ceil(pivot / size)
  const lastKey = Math.ceil((count - pivot) / size)
  return Array.from({ length: Math.max(0, lastKey - firstKey) }, (_, i) => {
    const key = firstKey + i
    return { key, from: Math.max(0, pivot + key * size), to: Math.min(count, pivot + (key + 1) * size) }
  })
}
