import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatMonth } from '../format.ts'
import { type Mark, markAt, nextYear, yearLabels } from '../layout/marks.ts'
import type { ScrollWindow } from '../layout/useScrollWindow.ts'
import { texts } from '../texts.ts'

interface Props {
  marks: readonly Mark[]
  /** The height of the whole list. */
  length: number
  seen: ScrollWindow
  /** How much of the screen's top is taken by what stays there. */
  topInset: () => number
}

/** How far below its top somebody looks at the screen. */
const LOOKED_AT = 100

/** How far apart years have to be to be read, as a part of the track: 22 px of about 600. */
const SPACING = 0.037

/** Along the edge of the grid: the years, where one is, and a way to any month. */
export function Scrubber({ marks, length, seen, topInset }: Props) {
  const track = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const [dragging, setDragging] = useState(false)
  const moving = useMoving(seen.top)
  const labels = useMemo(() => yearLabels(marks, length, SPACING), [marks, length])
  const now = markAt(marks, seen.top + topInset() + LOOKED_AT)
  const reached = Math.min(1, Math.max(0, seen.top / length))

  function go(mark: number) {
    const { top } = marks[mark] ?? { top: 0 }
    seen.scrollTo(top - topInset())
  }

  function partAt({ clientY }: PointerEvent): number {
    const { top, height } = track.current?.getBoundingClientRect() ?? { top: 0, height: 1 }
    return Math.min(1, Math.max(0, (clientY - top) / height))
  }

  function point(event: PointerEvent, jump: boolean) {
    const part = partAt(event)
    setPointed(part)
    if (jump) seen.scrollTo(part * (length - window.innerHeight + topInset()) - topInset())
  }

  function onKeyDown(event: KeyboardEvent) {
    const target = targetOf(event.key, marks, now)
    if (target === undefined) return
    event.preventDefault()
    go(target)
  }

  const bubbleAt = pointed ?? reached
  const bubble = marks[pointed === null ? now : markAt(marks, pointed * length)]
  return (
    <div className="scrubber-lane">
      <div
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label={texts.scrubber}
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={marks.length - 1}
        aria-valuenow={marks.length - 1 - now}
        aria-valuetext={formatMonth(marks[now]?.month ?? '')}
        data-dragging={dragging || undefined}
        data-moving={moving || undefined}
        className="scrubber"
        onKeyDown={onKeyDown}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDragging(true)
          point(event, true)
        }}
        onPointerMove={event => point(event, dragging)}
        onPointerUp={() => setDragging(false)}
        onPointerCancel={() => setDragging(false)}
        onPointerLeave={() => setPointed(null)}
      >
        {labels.map(({ text, at }) => (
          <span key={text} aria-hidden="true" className="scrubber-year text-fine" style={{ top: `${at * 100}%` }}>
            {text}
          </span>
        ))}
        <span aria-hidden="true" className="scrubber-thumb" style={{ top: `${reached * 100}%` }} />
        {bubble !== undefined && (
          <span aria-hidden="true" className="scrubber-bubble text-small" style={{ top: `${bubbleAt * 100}%` }}>
            {formatMonth(bubble.month)}
          </span>
        )}
      </div>
    </div>
  )
}

/** How long the grip stays after the last movement. */
const LINGERS = 1_200

/** True while the list moves, and a little longer. */
function useMoving(top: number): boolean {
  const [rested, setRested] = useState(top)
  useEffect(() => {
    const rest = setTimeout(() => setRested(top), LINGERS)
    return () => clearTimeout(rest)
  }, [top])
  return rested !== top
}

function targetOf(key: string, marks: readonly Mark[], now: number): number | undefined {
  const last = marks.length - 1
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(now + 1, last)
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(now - 1, 0)
    case 'PageDown':
      return nextYear(marks, now, 1)
    case 'PageUp':
      return nextYear(marks, now, -1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
