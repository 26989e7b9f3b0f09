import { Component, type RefObject, useEffect, useMemo, useRef, useState } from 'react'

/** Where in the log somebody is: at its end, or with a certain row at a certain height. */
type ScrollAnchor = { atEnd: true } | { atEnd: false; row: string; top: number }

/** This near to the end counts as the end. */
const NEAR = 40

/**
 * Keeps the place whatever happens to the rows: older ones that come in above, pictures, another width, the keyboard of
 * a phone. At the end one stays at the end. Rows are told by their `data-row`. What is to be done around each change of
 * the rows themselves goes to `Around`: whoever is scrolling just then has moved since they were last seen to.
 */
export function useScrollAnchor(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const place = useRef<ScrollAnchor>({ atEnd: true })
  const [atEnd, setAtEnd] = useState(true)

  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current]
    if (outer === null || inner === null) return
    const remember = () => {
      place.current = findAnchor(outer)
      setAtEnd(place.current.atEnd)
    }
    // Told between layout and paint: nobody sees the jump.
    const observer = new ResizeObserver(() => scrollToAnchor(outer, place.current))
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
        if (scroller.current !== null) place.current = findAnchor(scroller.current)
      },
      after: () => {
        if (scroller.current !== null) scrollToAnchor(scroller.current, place.current)
      },
    }),
    [scroller],
  )
  return {
    atEnd,
    around,
    toEnd: () => {
      place.current = { atEnd: true }
      around.after()
    },
  }
}

function findAnchor(scroller: HTMLElement): ScrollAnchor {
  if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR) return { atEnd: true }
  const { top } = scroller.getBoundingClientRect()
  const rows = [...scroller.querySelectorAll<HTMLElement>('[data-row]')]
  // Whoever scrolls fast is ahead of what is drawn: then the last row above them has to do.
  const row = rows.find(row => row.getBoundingClientRect().bottom > top) ?? rows.at(-1)
  if (row === undefined) return { atEnd: true }
  return { atEnd: false, row: row.dataset.row ?? '', top: row.getBoundingClientRect().top - top }
}

function scrollToAnchor(scroller: HTMLElement, place: ScrollAnchor): void {
  if (place.atEnd) {
    scroller.scrollTop = scroller.scrollHeight
    return
  }
  const row = scroller.querySelector(`[data-row="${CSS.escape(place.row)}"]`)
  if (row === null) return
  scroller.scrollTop += row.getBoundingClientRect().top - scroller.getBoundingClientRect().top - place.top
}

interface Props {
  /** What changes what is shown. */
  value: unknown
  before: () => void
  after: () => void
}

/** Does something right before and right after a change reaches the page: only a class component is told value the first. */
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
