import { type FileHandle, open } from 'node:fs/promises'

const WINDOW_BYTES = 64 * 1024

/** Some bytes of a file. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** Reads a file anywhere while it holds no more than 64 KB of it. */
export interface FileWindow {
  /** Up to `length` bytes (at most 64 KB) from `offset`; fewer at the end of the file. Valid until the next call. */
  bytes(offset: number, length: number): Promise<Buffer>
  /** As many bytes as are at hand from `offset`, and at least two unless the file ends there. Valid until the next call. */
  rest(offset: number): Promise<Buffer>
}

export function openWindow(file: FileHandle): FileWindow {
  const buffer = Buffer.alloc(WINDOW_BYTES)
  let start = 0
  let end = 0

  async function load(offset: number): Promise<void> {
    const { bytesRead } = await file.read(buffer, 0, WINDOW_BYTES, offset)
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

/** The first bytes of a file; fewer where the file is shorter. */
export async function readHead(path: string, bytes: number): Promise<Buffer> {
  await using file = await open(path)
  return await readHeadOfHandle(file, bytes)
}

/** The same for a file that is open already. */
export async function readHeadOfHandle(file: FileHandle, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
  return buffer.subarray(0, bytesRead)
}
