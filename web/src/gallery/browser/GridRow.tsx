import type { MediaFile } from '#contract/media.ts'
import type { Row } from '../layout/layout.ts'
import { GAP } from '../layout/measures.ts'
import type { Renaming } from './RenameField.tsx'
import { Tile } from './Tile.tsx'

export interface RowProps {
  row: Row
  /** Where it is drawn. */
  top: number
  total: number
  fileAt: (index: number) => MediaFile | undefined
  selected: ReadonlySet<number>
  /** The index of the file that Tab reaches. */
  current: number
  renaming: Renaming | null
  onRenamed: (renaming: Renaming) => void
}

interface Props extends RowProps {
  columns: number
  side: number
  names: boolean
}

export function GridRow({
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
}: Props) {
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
