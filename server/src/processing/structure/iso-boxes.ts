import { BOX_HEADER_BYTES, type Box, parseBoxHeader, SMALLEST_BOX_BYTES } from '#contract/iso-boxes.ts'
import type { FileWindow } from './file-window.ts'

/** How many more headers may be read. Nested walks can share one. */
export interface HeaderBudget {
  headers: number
}

/** Files of real cameras have a dozen boxes beside each other. */
const MAX_BOXES = 1_000

/** The boxes of an MP4, HEIF or AVIF file between two offsets. An invalid header or a spent budget ends the walk. */
export async function* boxesIn(
  file: FileWindow,
  start: number,
  end: number,
  budget: HeaderBudget = { headers: MAX_BOXES },
): AsyncGenerator<Box> {
  for (let at = start; at + SMALLEST_BOX_BYTES <= end && budget.headers-- > 0; ) {
    const box = parseBoxHeader(await file.bytes(at, BOX_HEADER_BYTES), at, end)
    if (!box) return
    yield box
    at = box.end
  }
}
