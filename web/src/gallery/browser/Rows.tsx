import type { GridFile } from '#contract/grid.ts'
import { rangeInWords } from '../../media/date-words.ts'
import { formatDayLabel, formatFullDay } from '../format.ts'
import { type DateScope, scopeOfLabel, scopesOfHeading, yearOf } from '../layout/days.ts'
import type { DayLabel, Layout, Row } from '../layout/layout.ts'
import type { View } from '../layout/list-layout.ts'
import { texts } from '../texts.ts'
import { ListRow } from './ListRow.tsx'
import type { ChangeRenaming, Renaming } from './RenameField.tsx'
import { Tile } from './Tile.tsx'

interface Props {
  layout: Layout
  view: View
  names: boolean
  rem: number
  /** The range to render. */
  top: number
  bottom: number
  /** A row at `y` of the list is rendered at `y - shift`. */
  shift: number
  fileAt: (index: number) => GridFile | undefined
  selected: ReadonlySet<number>
  /** Index of the file in the tab order. */
  current: number
  /** Keeps the focused file mounted when it is scrolled away. */
  keepCurrent: boolean
  renaming: Renaming | null
  onRenaming: ChangeRenaming
  onToggleDates: (scopes: DateScope[]) => void
}

export function Rows(props: Props) {
  const { layout, top, bottom, current, keepCurrent } = props
  const rows = layout.rowsBetween(top, bottom)
  if (keepCurrent) addRow(rows, layout.rowOf(current))
  return rows.map(row => <AnyRow key={`${row.kind} ${row.first}`} {...props} row={row} />)
}

function addRow(rows: Row[], row: Row): void {
  if (rows.some(({ number }) => number === row.number)) return
  const next = rows.findIndex(({ number }) => number > row.number)
  rows.splice(next === -1 ? rows.length : next, 0, row)
}

function AnyRow({ row, ...props }: Props & { row: Row }) {
  const { layout, view, shift, rem, fileAt, selected, current, renaming, onToggleDates } = props
  const top = row.top - shift
  if (row.kind === 'month') return <MonthRow row={row} top={top} layout={layout} onToggle={onToggleDates} />
  if (row.kind === 'days') return <DaysRow row={row} top={top} layout={layout} rem={rem} onToggle={onToggleDates} />
  if (view !== 'list') return <GridRow {...props} row={row} />
  const file = fileAt(row.first)
  return (
    <ListRow
      // The header is the first row.
      row={row.number + 1}
      file={file}
      index={row.first}
      total={layout.total}
      top={top}
      height={row.height}
      selected={file !== undefined && selected.has(file.id)}
      current={row.first === current}
      renaming={file?.id === renaming?.id ? (renaming ?? undefined) : undefined}
      onRenaming={props.onRenaming}
    />
  )
}

function GridRow({ row, ...props }: Props & { row: Row }) {
  const { layout, shift, names, fileAt, selected, current, renaming, onRenaming } = props
  return (
    <tr
      aria-rowindex={row.number}
      className="absolute inset-x-0 flex"
      style={{ top: row.top - shift, gap: layout.measures.gap }}
    >
      {layout.boxesIn(row).map(({ width }, column) => {
        const index = row.first + column
        const file = fileAt(index)
        return (
          <Tile
            key={index}
            file={file}
            index={index}
            total={layout.total}
            column={column}
            width={width}
            height={row.photoHeight}
            names={names}
            selected={file !== undefined && selected.has(file.id)}
            current={index === current}
            renaming={file?.id === renaming?.id ? (renaming ?? undefined) : undefined}
            onRenaming={onRenaming}
          />
        )
      })}
    </tr>
  )
}

interface HeadingProps {
  row: Row
  /** Rendered position. */
  top: number
  layout: Layout
  onToggle: (scopes: DateScope[]) => void
}

function MonthRow({ row, top, layout, onToggle }: HeadingProps) {
  const months = layout.monthsOf(row).sort()
  const [from = '', to = ''] = [months[0], months.at(-1)]
  const text = rangeInWords(from, to)
  return (
    <tr aria-rowindex={row.number} className="absolute inset-x-0 flex items-end" style={{ top, height: row.height }}>
      <th
        scope="colgroup"
        aria-colspan={layout.columnCount}
        className="w-full text-left font-semibold font-serif text-body"
      >
        <button
          type="button"
          tabIndex={-1}
          title={texts.selectDay(text)}
          onClick={() => onToggle(scopesOfHeading(months))}
          className={headingButton}
        >
          {yearOf(from) === yearOf(to) ? <Time day={from === to ? from : yearOf(from)}>{text}</Time> : text}
        </button>
      </th>
    </tr>
  )
}

/** The days of the row below, each above its first file. */
function DaysRow({ row, top, layout, rem, onToggle }: HeadingProps & { rem: number }) {
  return (
    <tr aria-rowindex={row.number} className="absolute inset-x-0" style={{ top, height: row.height }}>
      {layout.labelsIn(row).map(label => (
        <DayHeading key={label.column} label={label} roomy={label.width >= ROOMY_REM * rem} onToggle={onToggle} />
      ))}
    </tr>
  )
}

/** Narrower labels omit the weekday. */
const ROOMY_REM = 6

interface DayHeadingProps {
  label: DayLabel
  roomy: boolean
  onToggle: (scopes: DateScope[]) => void
}

function DayHeading({ label: { day, column, left, width, withYear }, roomy, onToggle }: DayHeadingProps) {
  return (
    <th
      scope="col"
      aria-colindex={column + 1}
      className="absolute inset-y-0 flex items-center text-left font-normal text-fine text-ink-soft"
      style={{ left, width }}
    >
      <button
        type="button"
        tabIndex={-1}
        title={texts.selectDay(formatFullDay(day))}
        onClick={() => onToggle([scopeOfLabel(day)])}
        className={headingButton}
      >
        <Time day={day}>{formatDayLabel(day, withYear ? 'dayAndYear' : roomy ? 'weekday' : 'day')}</Time>
      </button>
    </th>
  )
}

/** A decade is no valid value of the element. */
function Time({ day, children }: { day: string; children: string }) {
  return day.includes('X') ? children : <time dateTime={day}>{children}</time>
}

const headingButton =
  '-ml-1 max-w-full truncate rounded-control px-1 align-bottom hover:underline hover:decoration-accent hover:underline-offset-4'
