import type { MediaFile } from '#contract/media.ts'
import type { View } from '../address.ts'
import type { Layout, Row } from '../layout/layout.ts'
import { tileSide } from '../layout/measures.ts'
import { GridRow } from './GridRow.tsx'
import { HeadingRow } from './HeadingRow.tsx'
import { ListRow } from './ListRow.tsx'
import type { Renaming } from './RenameField.tsx'

interface Props {
  layout: Layout
  view: View
  names: boolean
  width: number
  /** The stretch of the list that is drawn. */
  top: number
  bottom: number
  /** What stands at `y` in the list is drawn at `y - shift`. */
  shift: number
  fileAt: (index: number) => MediaFile | undefined
  selected: ReadonlySet<number>
  /** The index of the file that Tab reaches. */
  current: number
  /** A file with the focus stays, wherever the screen goes. */
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
