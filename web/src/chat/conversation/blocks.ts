/** Consecutive rows that are drawn, or left out, together: those from `from` up to but without `to`. */
export interface Block {
  /** Stays the same when rows are added before or after it. */
  key: number
  from: number
  to: number
}

const SIZE = 40

/** Cuts rows into blocks, counted from the pivot in both directions, so that no old block changes when rows are added. */
export function blocksOf(count: number, pivot: number, size = SIZE): Block[] {
  const firstKey = -Math.ceil(pivot / size)
  const lastKey = Math.ceil((count - pivot) / size)
  return Array.from({ length: Math.max(0, lastKey - firstKey) }, (_, i) => {
    const key = firstKey + i
    return { key, from: Math.max(0, pivot + key * size), to: Math.min(count, pivot + (key + 1) * size) }
  })
}
