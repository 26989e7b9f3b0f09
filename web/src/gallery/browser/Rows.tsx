import type { MediaFile } from '#contract/media.ts'
import { formatDayHeading, formatFullDay } from '../format.ts'
import type { View } from '../gallery-address.ts'
import type { Heading, Layout, Row } from '../layout/layout.ts'
import { GAP, tileSide } from '../layout/list-layout.ts'
import { texts } from '../texts.ts'
import { ListRow } from './ListRow.tsx'
import type { Renaming } from './RenameField.tsx'
import { Tile } from './Tile.tsx'

interface Props {
  layout: Layout
  view: View
  names: boolean
  width: number
  /** The range to render. */
  top: number
  bottom: number
  /** A row at `y` of the list is rendered at `y - shift`. */
  shift: number
  fileAt: (index: number) => MediaFile | undefined
  selected: ReadonlySet<number>
  /** Index of the file in the tab order. */
  current: number
  /** Keeps the focused file mounted when it is scrolled away. */
  keepCurrent: boolean
  renaming: Renaming | null
  onRenamed: (renaming: Renaming) => void
  onToggleDay: (day: string) => void
}

export function Rows(props: Props) {
  const { layout, top, bottom, current, keepCurrent } = props
  const rows = layout.rowsBetween(top, bottom)
  if (keepCurrent) addRow(rows, layout.rowOf(current))
  return rows.map(row => <AnyRow key={`${row.count > 0 ? 'files' : 'days'} ${row.first}`} {...props} row={row} />)
}

function addRow(rows: Row[], row: Row): void {
  if (rows.some(({ number }) => number === row.number)) return
  const next = rows.findIndex(({ number }) => number > row.number)
  rows.splice(next === -1 ? rows.length : next, 0, row)
}

function AnyRow({ row, ...props }: Props & { row: Row }) {
  const { layout, view, width, shift, fileAt, selected, current, renaming } = props
  const { columns, rowPitch, headingHeight } = layout.measures
  const top = row.top - shift
  const side = tileSide(width, columns)
  if (row.count === 0) {
    return <HeadingRow {...{ row, top, columns, side }} height={headingHeight} onToggleDay={props.onToggleDay} />
  }
  const { total } = layout
  if (view === 'grid') {
    const { names, onRenamed } = props
    return <GridRow {...{ row, top, columns, side, names, total, fileAt, selected, current, renaming, onRenamed }} />
  }
  const file = fileAt(row.first)
  return (
    <ListRow
      // The header is the first row.
      row={row.number + 1}
      file={file}
      index={row.first}
      total={total}
      top={top}
      height={rowPitch}
      selected={file !== undefined && selected.has(file.id)}
      current={row.first === current}
      renaming={file?.id === renaming?.id ? (renaming ?? undefined) : undefined}
      onRenamed={props.onRenamed}
    />
  )
}

interface RowProps {
  row: Row
  /** Rendered position. */
  top: number
  total: number
  fileAt: (index: number) => MediaFile | undefined
  selected: ReadonlySet<number>
  /** Index of the file in the tab order. */
  current: number
  renaming: Renaming | null
  onRenamed: (renaming: Renaming) => void
}

interface GridRowProps extends RowProps {
  columns: number
  side: number
  names: boolean
}

function GridRow({
  row,
  top,
  columns,
  side,
  names,
  total,
  fileAt,
  selected,
  current,
  renaming,
  onRenamed,
}: GridRowProps) {
  return (
    <tr
      aria-rowindex={row.number}
      className="absolute inset-x-0 grid"
      style={{ top, gridTemplateColumns: `repeat(${columns}, ${side}px)`, gap: GAP }}
    >
      {Array.from({ length: row.count }, (_, column) => {
        const index = row.first + column
        const file = fileAt(index)
        return (
          <Tile
            key={index}
            file={file}
            index={index}
            total={total}
            column={column}
            side={side}
            names={names}
            selected={file !== undefined && selected.has(file.id)}
            current={index === current}
            renaming={file?.id === renaming?.id ? (renaming ?? undefined) : undefined}
            onRenamed={onRenamed}
          />
        )
      })}
    </tr>
  )
}

interface HeadingRowProps {
  row: Row
  top: number
  height: number
  columns: number
  side: number
  onToggleDay: (day: string) => void
}

/** The headings of the days below, each above its own columns. */
function HeadingRow({ row, top, height, columns, side, onToggleDay }: HeadingRowProps) {
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
