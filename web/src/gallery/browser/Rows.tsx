import type { GridFile } from '#contract/grid.ts'
import {
  formatDayInYear,
  formatDayLabel,
  formatDayWithin,
  formatFullDay,
  formatMonth,
  formatMonthWithin,
} from '../format.ts'
import { type DateScope, monthOf } from '../layout/days.ts'
import type { Label, Layout, Row } from '../layout/layout.ts'
import type { View } from '../layout/list-layout.ts'
import { typicalPerRow } from '../layout/row-breaks.ts'
import { texts } from '../texts.ts'
import { ListRow } from './ListRow.tsx'
import { OverviewTile } from './OverviewTile.tsx'
import type { ChangeRenaming, Renaming } from './RenameField.tsx'
import { Tile } from './Tile.tsx'

interface Props {
  layout: Layout
  view: View
  names: boolean
  captions: boolean
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
  onToggleDates: (scope: DateScope) => void
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
  if (row.kind === 'months')
    return <MonthsRow row={row} top={top} layout={layout} rem={rem} fileAt={fileAt} onToggle={onToggleDates} />
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
  const { layout, shift, names, captions, fileAt, selected, current, renaming, onRenaming } = props
  return (
    <tr
      aria-rowindex={row.number}
      className="absolute inset-x-0 flex"
      style={{ top: row.top - shift, gap: layout.measures.gap }}
    >
      {layout.boxesIn(row).map(({ width }, column) => {
        const index = row.first + column
        const file = fileAt(index)
        if (layout.measures.yearsOnly) {
          return (
            <OverviewTile
              key={index}
              file={file}
              index={index}
              total={layout.total}
              column={column}
              side={row.photoHeight}
              selected={file !== undefined && selected.has(file.id)}
              current={index === current}
            />
          )
        }
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
            captions={captions}
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
  onToggle: (scope: DateScope) => void
}

interface MonthsProps extends HeadingProps {
  rem: number
  fileAt: (index: number) => GridFile | undefined
}

/** The headings of the row below, each above its first file. */
function MonthsRow({ rem, fileAt, ...props }: MonthsProps) {
  const { measures } = props.layout
  const typicalWidth = measures.width / typicalPerRow(measures) / rem
  const exactDate = (label: Label) => (label.isLessExact ? knownDate(label, fileAt) : label.date)
  // A season or an approximate year is known by its files only; until they are loaded nothing is said, rather than a year.
  const textOf = (label: Label) => {
    const date = exactDate(label)
    const width = measures.yearsOnly ? label.width / rem : Math.min(label.width / rem, typicalWidth)
    return date === undefined ? '' : formatMonthWithin(date, width)
  }
  return (
    <HeadingsRow
      {...props}
      className="bottom-0 font-semibold font-serif text-body"
      fullName={label => formatMonth(exactDate(label) ?? label.date)}
      text={textOf}
      fits={label => textOf(label).length * LETTER_REM <= label.width / rem}
    />
  )
}

/** Of files with the same middle, such as 1950 and about 1950, the least exact date. Undefined until one is loaded. */
function knownDate({ date, first, count }: Label, fileAt: MonthsProps['fileAt']): string | undefined {
  const loaded = Array.from({ length: Math.min(count, MOST_COMPARED) }, (_, i) => fileAt(first + i)).filter(
    file => file !== undefined,
  )
  const dates = loaded.map(({ edtf }) => edtf ?? date)
  return dates.find(date => date.endsWith('~')) ?? dates[0]
}

const MOST_COMPARED = 50

/** The width of a letter of a heading. */
const LETTER_REM = 0.62

/** The days of the row below, each above its first file. */
function DaysRow({ rem, ...props }: HeadingProps & { rem: number }) {
  return (
    <HeadingsRow
      {...props}
      className="inset-y-0 items-center font-normal text-fine text-ink-soft"
      fullName={({ date }) => formatFullDay(date)}
      text={({ date, below, width }) => {
        const text = below === monthOf(date) ? formatDayLabel(date) : formatDayInYear(date)
        return formatDayWithin(text, date, width / rem)
      }}
    />
  )
}

interface HeadingsRowProps extends HeadingProps {
  className: string
  fullName: (label: Label) => string
  text: (label: Label) => string
  /** Where it does not, the text is smaller, in up to two lines: "Summer 1974" must not become "Summ…". */
  fits?: (label: Label) => boolean
}

function HeadingsRow({ row, top, layout, onToggle, className, fullName, text, fits = () => true }: HeadingsRowProps) {
  return (
    <tr aria-rowindex={row.number} className="absolute inset-x-0" style={{ top, height: row.height }}>
      {layout.labelsIn(row).map(label => (
        <th
          key={label.column}
          scope="col"
          aria-colindex={label.column + 1}
          className={`absolute flex text-left ${className}`}
          style={{ left: label.left, width: label.width }}
        >
          <button
            type="button"
            tabIndex={-1}
            title={texts.selectDay({ day: fullName(label) })}
            onClick={() => onToggle(label.scope)}
            className={`-ml-1 max-w-full rounded-control px-1 text-left align-bottom hover:underline hover:decoration-accent hover:underline-offset-4 ${fits(label) ? 'truncate' : 'line-clamp-2 font-sans text-fine leading-tight'}`}
          >
            <Time day={label.date}>{text(label)}</Time>
          </button>
        </th>
      ))}
    </tr>
  )
}

/** A decade is no valid value of the element. */
function Time({ day, children }: { day: string; children: string }) {
  return day.includes('X') ? children : <time dateTime={day}>{children}</time>
}
