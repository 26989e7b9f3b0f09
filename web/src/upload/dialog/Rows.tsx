import { type RefObject, useRef } from 'react'
import { useKeepFocus } from '../../ui/hooks.ts'
import type { UploadItem } from '../queue/item.ts'
import type { UploadQueue } from '../queue/queue.ts'
import { texts } from '../texts.ts'
import { Row } from './Row.tsx'
import { useRowWindow } from './useRowWindow.ts'

interface Props {
  queue: UploadQueue
  items: readonly UploadItem[]
  /** What scrolls, with the list somewhere in it. */
  scroller: RefObject<HTMLDivElement | null>
}

/** Two thousand rows cost no more than twenty: only those in sight are drawn. */
export function Rows({ queue, items, scroller }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { first, end, rowHeight } = useRowWindow(items.length, scroller, list)
  const keepFocus = useKeepFocus<HTMLDivElement>()
  return (
    <div {...keepFocus} className="shrink-0 focus-visible:outline-none">
      <ul
        ref={list}
        aria-label={texts.list}
        className="relative shrink-0 border-line border-t"
        style={{ height: items.length * rowHeight }}
      >
        {items.slice(first, end).map((item, index) => (
          <li
            key={item.id}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            className="upload-row absolute inset-x-0 border-line border-b"
            style={{ top: (first + index) * rowHeight }}
          >
            <Row item={item} queue={queue} />
          </li>
        ))}
      </ul>
    </div>
  )
}
