import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { remInPixels } from '../../ui/hooks.ts'
import { formatMonth } from '../format.ts'
import { monthAt, nextYear, type ScrubberMonth, yearLabels } from '../layout/scrubber-months.ts'
import type { Viewport } from '../layout/viewport.ts'
import { texts } from '../texts.ts'

interface Props {
  months: readonly ScrubberMonth[]
  /** Height of the whole list. */
  length: number
  viewport: Viewport
  /** Height covered by the sticky toolbar. */
  topInset: () => number
}

/** The month this far below the top of the screen counts as current. */
const VIEW_OFFSET = 100

/** Minimum distance of year labels, in rem. */
const SPACING_REM = 1.75

/** A slider along the grid with the years and the current month. */
export function Scrubber({ months, length, viewport, topInset }: Props) {
  const track = useRef<HTMLDivElement>(null)
  const [pointer, setPointer] = useState<number | null>(null)
  const [dragging, setDragging] = useState(false)
  const moving = useMoving(viewport.top)
  const spacing = useSpacing(track)
  const labels = useMemo(() => yearLabels(months, length, spacing), [months, length, spacing])
  const now = monthAt(months, viewport.top + topInset() + VIEW_OFFSET)
  // Before the page is scrolled, the list begins below the toolbar, and the track must still end above the chat button.
  const below = Math.max(0, -viewport.top - topInset())
  const scrolled = Math.min(1, Math.max(0, viewport.top / length))

  function scrollToMonth(month: number) {
    const { top } = months[month] ?? { top: 0 }
    viewport.scrollTo(top - topInset())
  }

  function fractionAt({ clientY }: PointerEvent): number {
    const { top, height } = track.current?.getBoundingClientRect() ?? { top: 0, height: 1 }
    return Math.min(1, Math.max(0, (clientY - top) / height))
  }

  function point(event: PointerEvent, jump: boolean) {
    const part = fractionAt(event)
    setPointer(part)
    if (jump) viewport.scrollTo(part * (length - window.innerHeight + topInset()) - topInset())
  }

  function onKeyDown(event: KeyboardEvent) {
    const target = targetOf(event.key, months, now)
    if (target === undefined) return
    event.preventDefault()
    scrollToMonth(target)
  }

  const bubbleAt = pointer ?? scrolled
  const bubble = months[pointer === null ? now : monthAt(months, pointer * length)]
  return (
    <div className="scrubber-lane">
      <div
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label={texts.scrubber}
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={months.length - 1}
        aria-valuenow={months.length - 1 - now}
        aria-valuetext={formatMonth(months[now]?.month ?? '')}
        data-dragging={dragging || undefined}
        data-moving={moving || undefined}
        className="scrubber"
        style={{ height: `calc(var(--track) - ${below}px)` }}
        onKeyDown={onKeyDown}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDragging(true)
          point(event, true)
        }}
        onPointerMove={event => point(event, dragging)}
        onPointerUp={() => setDragging(false)}
        onPointerCancel={() => setDragging(false)}
        onPointerLeave={() => setPointer(null)}
      >
        {labels.map(({ text, at }) => (
          <span
            key={`${text} ${at}`}
            aria-hidden="true"
            className="scrubber-year text-fine"
            data-words={/\d/.test(text) ? undefined : true}
            style={{ top: `${at * 100}%` }}
          >
            {formatMonth(text)}
          </span>
        ))}
        <span aria-hidden="true" className="scrubber-thumb" style={{ top: `${scrolled * 100}%` }} />
        {bubble !== undefined && (
          <span aria-hidden="true" className="scrubber-bubble text-small" style={{ top: `${bubbleAt * 100}%` }}>
            {formatMonth(bubble.month)}
          </span>
        )}
      </div>
    </div>
  )
}

/** The minimum distance of labels as a fraction of the track, which is as high as the window allows. */
function useSpacing(track: RefObject<HTMLElement | null>): number {
  const [spacing, setSpacing] = useState(1)
  useLayoutEffect(() => {
    const element = track.current
    if (element === null) return
    const measure = () => {
      setSpacing((SPACING_REM * remInPixels()) / Math.max(1, element.offsetHeight))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [track])
  return spacing
}

/** How long the thumb stays visible after scrolling. */
const HIDE_DELAY = 1_200

/** True while scrolling, and a moment longer. */
function useMoving(top: number): boolean {
  const [rested, setRested] = useState(top)
  useEffect(() => {
    const rest = setTimeout(() => setRested(top), HIDE_DELAY)
    return () => clearTimeout(rest)
  }, [top])
  return rested !== top
}

function targetOf(key: string, months: readonly ScrubberMonth[], now: number): number | undefined {
  const last = months.length - 1
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(now + 1, last)
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(now - 1, 0)
    case 'PageDown':
      return nextYear(months, now, 1)
    case 'PageUp':
      return nextYear(months, now, -1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
