import { type FileHandle, open } from 'node:fs/promises'
import { BOX_HEADER_BYTES, type Box, parseBoxHeader, SMALLEST_BOX_BYTES } from '#contract/iso-boxes.ts'

const WINDOW_BYTES = 64 * 1024

/** Some bytes of a file. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** Random access to a file with a buffer of 64 KB. */
export interface FileWindow {
  /** Up to `length` bytes (at most 64 KB) from `offset`; fewer at the end of the file. Valid until the next call. */
  bytes(offset: number, length: number): Promise<Buffer>
  /** The buffered bytes from `offset`, at least two unless the file ends there. Valid until the next call. */
  rest(offset: number): Promise<Buffer>
}

export function openWindow(file: FileHandle): FileWindow {
  return windowOver(async (buffer, offset) => (await file.read(buffer, 0, buffer.length, offset)).bytesRead)
}

/** The same over anything that fills a buffer from an offset on, and returns how many bytes there were. */
export function windowOver(
  read: (buffer: Buffer, offset: number) => Promise<number>,
  windowBytes = WINDOW_BYTES,
): FileWindow {
  const buffer = Buffer.alloc(windowBytes)
  let start = 0
  let end = 0

  async function load(offset: number): Promise<void> {
    const bytesRead = await read(buffer, offset)
    start = offset
    end = offset + bytesRead
  }

  return {
    async bytes(offset, length) {
      if (offset < start || offset + length > end) await load(offset)
      return buffer.subarray(offset - start, Math.min(offset + length, end) - start)
    },
    async rest(offset) {
      if (offset < start || offset + 2 > end) await load(offset)
      return buffer.subarray(offset - start, end - start)
    },
  }
}

/** The first bytes of a file. */
export async function readHead(path: string, bytes: number): Promise<Buffer> {
  await using file = await open(path)
  return await readHeadOfHandle(file, bytes)
}

/** The same for a file that is already open. */
export async function readHeadOfHandle(file: FileHandle, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** How many more headers may be read; shared by nested walks. */
export interface HeaderBudget {
  headers: number
}

/** Real files have a dozen boxes on one level. */
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
