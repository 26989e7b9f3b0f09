/** How the files of a row are shaped. */
export type Arrangement =
  | { kind: 'squares'; columns: number }
  | Proportions
  /** One file per row. */
  | { kind: 'list'; rowHeight: number }

/** Justified rows: they fill the width and are about this high. */
interface Proportions {
  kind: 'proportions'
  rowHeight: number
  proportionAt: (index: number) => number
  /** Every row has one photo, which is not higher than a row. */
  oneARow?: boolean
}

export interface Measures {
  width: number
  arrangement: Arrangement
  /** Between tiles, and between rows of tiles. */
  gap: number
  /** Below each tile. */
  captionHeight: number
  monthHeight: number
  dayHeight: number
  /** Above every month but the first. */
  monthGap: number
  /** Only years have headings, and days no labels. */
  yearsOnly?: boolean
}

/** A file's position in its row. */
export interface Box {
  left: number
  width: number
}

export interface RowBreak {
  count: number
  height: number
}

/**
 * How many files from `first` on are in one row, and how high they are. With `endsAlone` no single file is left for the
 * last row.
 */
export function breakRow(first: number, end: number, measures: Measures, endsAlone = false): RowBreak {
  const { width, gap, arrangement } = measures
  if (arrangement.kind === 'list') return { count: 1, height: arrangement.rowHeight }
  if (arrangement.kind === 'squares') {
    const { columns } = arrangement
    const count = Math.min(columns, end - first)
    const leavesOne = endsAlone && end - first === count + 1 && count > 2
    return { count: leavesOne ? count - 1 : count, height: tileSide(width, columns, gap) }
  }
  const { proportionAt } = arrangement
  const row = justify(first, end, measures, arrangement)
  if (!endsAlone || arrangement.oneARow || end - first !== row.count + 1) return row
  let sum = 0
  for (let i = first; i < end; i++) sum += shown(proportionAt(i))
  const height = Math.round((width - gap * row.count) / sum)
  // A panorama fills most of a row by itself, and would make all photos of this one tiny.
  return height < arrangement.rowHeight * LOWEST ? row : { count: end - first, height }
}

/** A row that has one photo more is not lower than this part of the intended height. */
const LOWEST = 0.5

function justify(first: number, end: number, { width, gap }: Measures, arrangement: Proportions): RowBreak {
  const { rowHeight, proportionAt, oneARow = false } = arrangement
  if (oneARow) return { count: 1, height: Math.min(rowHeight, Math.round(width / shown(proportionAt(first)))) }
  let sum = 0
  for (let i = first; i < end; i++) {
    const before = sum
    sum += shown(proportionAt(i))
    const gaps = gap * (i - first)
    if (sum * rowHeight + gaps < width) continue
    const height = (width - gaps) / sum
    const without = i === first ? Number.POSITIVE_INFINITY : (width - gaps + gap) / before
    const isCloser = without / rowHeight < rowHeight / height
    return isCloser
      ? { count: i - first, height: Math.round(without) }
      : { count: i - first + 1, height: Math.round(height) }
  }
  // The last row is not stretched.
  return { count: end - first, height: rowHeight }
}

/** A taller photo is cropped, because it would be too narrow to see. The timeline limits panoramas. */
const NARROWEST = 0.45

function shown(proportion: number): number {
  return Math.max(NARROWEST, proportion)
}

const COMMON_PROPORTION = 4 / 3

/** Of files of a common proportion. */
export function typicalPerRow({ width, gap, arrangement }: Measures): number {
  if (arrangement.kind === 'squares') return arrangement.columns
  if (arrangement.kind === 'list' || arrangement.oneARow) return 1
  return Math.max(1, Math.round((width + gap) / (arrangement.rowHeight * COMMON_PROPORTION + gap)))
}

function tileSide(width: number, columns: number, gap: number): number {
  return Math.floor((width - gap * (columns - 1)) / columns)
}

interface FilesInRow {
  /** Index of the first one. */
  first: number
  count: number
  photoHeight: number
}

/** The positions of the files in a row. */
export function boxesOf({ first, count, photoHeight }: FilesInRow, { width, gap, arrangement }: Measures): Box[] {
  if (arrangement.kind === 'list') return [{ left: 0, width }]
  if (arrangement.kind === 'squares') {
    return Array.from({ length: count }, (_, i) => ({ left: i * (photoHeight + gap), width: photoHeight }))
  }
  const proportions = Array.from({ length: count }, (_, i) => shown(arrangement.proportionAt(first + i)))
  // Heights are whole pixels, so the widths of a row that fills the width are computed from the exact one.
  const exact = (width - gap * (count - 1)) / proportions.reduce((sum, proportion) => sum + proportion, 0)
  const height = Math.abs(exact - photoHeight) <= 0.5 ? exact : photoHeight
  let sum = 0
  return proportions.map((proportion, i) => {
    const left = Math.round(sum * height) + i * gap
    sum += proportion
    return { left, width: Math.round(sum * height) + i * gap - left }
  })
}
