import { Component, type RefObject, useEffect, useMemo, useRef, useState } from 'react'

/** The scroll position: at the end, or relative to a row. */
type ScrollAnchor = { atEnd: true } | { atEnd: false; row: string; top: number }

/** This close to the end counts as the end, in pixels. */
const NEAR = 40

/**
 * Scroll anchoring: keeps the visible row in place when older messages are prepended or sizes change, and stays at the
 * end when it was there. Rows are identified by `data-row`. `around` goes to `BeforeAfterUpdate`, because the position may
 * have changed since the last scroll event.
 */
export function useScrollAnchor(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const anchor = useRef<ScrollAnchor>({ atEnd: true })
  const [atEnd, setAtEnd] = useState(true)

  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current]
    if (outer === null || inner === null) return
    const remember = () => {
      anchor.current = findAnchor(outer)
      setAtEnd(anchor.current.atEnd)
    }
    // A ResizeObserver runs between layout and paint, so the jump is never visible.
    const observer = new ResizeObserver(() => scrollToAnchor(outer, anchor.current))
    observer.observe(outer)
    observer.observe(inner)
    outer.addEventListener('scroll', remember, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', remember)
    }
  }, [scroller, content])

  const around = useMemo(
    () => ({
      before: () => {
        if (scroller.current !== null) anchor.current = findAnchor(scroller.current)
      },
      after: () => {
        if (scroller.current !== null) scrollToAnchor(scroller.current, anchor.current)
      },
    }),
    [scroller],
  )
  return {
    atEnd,
    around,
    toEnd: () => {
      anchor.current = { atEnd: true }
      around.after()
    },
  }
}

function findAnchor(scroller: HTMLElement): ScrollAnchor {
  if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR) return { atEnd: true }
  const { top } = scroller.getBoundingClientRect()
  const rows = [...scroller.querySelectorAll<HTMLElement>('[data-row]')]
  // During fast scrolling the visible rows may not be rendered yet: use the last row above.
  const row = rows.find(row => row.getBoundingClientRect().bottom > top) ?? rows.at(-1)
  if (row === undefined) return { atEnd: true }
  return { atEnd: false, row: row.dataset.row ?? '', top: row.getBoundingClientRect().top - top }
}

function scrollToAnchor(scroller: HTMLElement, anchor: ScrollAnchor): void {
  if (anchor.atEnd) {
    scroller.scrollTop = scroller.scrollHeight
    return
  }
  const row = scroller.querySelector(`[data-row="${CSS.escape(anchor.row)}"]`)
  if (row === null) return
  scroller.scrollTop += row.getBoundingClientRect().top - scroller.getBoundingClientRect().top - anchor.top
}

interface Props {
  /** The callbacks run when this changes. */
  value: unknown
  before: () => void
  after: () => void
}

/** Runs callbacks right before and after a DOM update. Only class components have getSnapshotBeforeUpdate. */
export class BeforeAfterUpdate extends Component<Props> {
  override getSnapshotBeforeUpdate({ value }: Props): boolean {
    const changes = value !== this.props.value
    if (changes) this.props.before()
    return changes
  }

  override componentDidUpdate(_props: Props, _state: unknown, changed: boolean): void {
    if (changed) this.props.after()
  }

  override render(): null {
    return null
  }
}
