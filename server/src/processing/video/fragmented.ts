import { open } from 'node:fs/promises'
import { type FileWindow, openWindow } from '../structure/file-window.ts'

/** Files of real cameras have a dozen boxes before their index. */
const MOST_BOXES = 1_000

interface Box {
  type: string
  /** Where its content begins and ends. */
  start: number
  end: number
}

/**
 * Whether an MP4 announces fragments (`mvex` in its index). Recorders write such a file before they know how long it
 * becomes, and fill the duration with zero, with 0xffffffff or with that of the first fragment.
 */
export async function isFragmented(path: string): Promise<boolean> {
  await using file = await open(path)
  const { size } = await file.stat()
  const window = openWindow(file)
  for await (const box of boxesIn(window, 0, size)) {
    if (box.type !== 'moov') continue
    for await (const child of boxesIn(window, box.start, box.end)) if (child.type === 'mvex') return true
    return false
  }
  return false
}

async function* boxesIn(file: FileWindow, from: number, to: number): AsyncGenerator<Box> {
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
