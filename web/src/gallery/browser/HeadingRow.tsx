import { formatDayHeading, formatFullDay } from '../format.ts'
import type { Heading, Row } from '../layout/layout.ts'
import { GAP } from '../layout/measures.ts'
import { texts } from '../texts.ts'

interface Props {
  row: Row
  top: number
  height: number
  columns: number
  side: number
  onToggleDay: (day: string) => void
}

/** The days whose files stand below, each over its own columns. */
export function HeadingRow({ row, top, height, columns, side, onToggleDay }: Props) {
  return (
    <tr
      aria-rowindex={row.number}
      className="absolute inset-x-0 grid items-end pb-2"
      style={{ top, height, gridTemplateColumns: `repeat(${columns}, ${side}px)`, columnGap: GAP }}
    >
      {row.headings.map(heading => (
        <DayHeading key={heading.day} heading={heading} onToggle={onToggleDay} />
      ))}
    </tr>
  )
}

function DayHeading({ heading, onToggle }: { heading: Heading; onToggle: (day: string) => void }) {
  const { day, column, columns } = heading
  return (
    <th
      scope="col"
      aria-colindex={column + 1}
      aria-colspan={columns}
      className="min-w-0 truncate text-left font-semibold font-serif text-body"
      style={{ gridColumn: `${column + 1} / span ${columns}` }}
    >
      <button
        type="button"
        tabIndex={-1}
        title={texts.selectDay(formatFullDay(day))}
        onClick={() => onToggle(day)}
        className="-ml-1 max-w-full truncate rounded-control px-1 align-bottom hover:underline hover:decoration-accent hover:underline-offset-4"
      >
        <time dateTime={day}>{formatDayHeading(day, columns > 1 ? 'heading' : 'short')}</time>
      </button>
    </th>
  )
}
