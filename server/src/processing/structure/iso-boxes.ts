import type { FileWindow } from './file-window.ts'

/** Files of real cameras have a dozen boxes beside each other. */
const MOST_BOXES = 1_000

export interface Box {
  readonly type: string
  /** Where its content begins and ends. */
  readonly start: number
  readonly end: number
}

/** The boxes of an MP4, HEIF or AVIF file between two places. Boxes that cannot be right end the walk. */
export async function* boxesIn(file: FileWindow, from: number, to: number): AsyncGenerator<Box> {
  let at = from
  for (let count = 0; count < MOST_BOXES && at + 8 <= to; count++) {
    const head = await file.bytes(at, 16)
    if (head.length < 8) return
    const type = head.toString('latin1', 4, 8)
    const size = head.readUInt32BE(0)
    // 1: the size follows in 64 bits; 0: the box reaches to the end.
    const large = size === 1
    if (large && head.length < 16) return
    const length = size === 0 ? to - at : large ? Number(head.readBigUInt64BE(8)) : size
    const header = large ? 16 : 8
    if (length < header) return
    yield { type, start: at + header, end: Math.min(at + length, to) }
    at += length
  }
}
