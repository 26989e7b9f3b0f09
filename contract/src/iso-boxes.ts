/** A box of an ISO base media file (ISO 14496-12): MP4, QuickTime, HEIF, AVIF. Offsets count from the start of the file. */
export interface Box {
  readonly type: string
  /** Where its header begins. */
  readonly offset: number
  /** Where its content begins and ends. The end is never behind the end of what the box lies in. */
  readonly start: number
  readonly end: number
  /** False where the header claims more bytes than what the box lies in has. */
  readonly complete: boolean
}

/** The longest header: length, type, and a length of 64 bits. */
export const BOX_HEADER_BYTES = 16
/** Where fewer bytes are left, no box can follow. */
export const SMALLEST_BOX_BYTES = 8

/**
 * Parses the header of the box at `offset` from up to {@link BOX_HEADER_BYTES} bytes; `limit` is where the enclosing box
 * or the file ends. Undefined where the bytes are no valid header.
 */
export function parseBoxHeader(header: Uint8Array, offset: number, limit: number): Box | undefined {
  if (header.byteLength < SMALLEST_BOX_BYTES) return undefined
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const size = view.getUint32(0)
  // 1: the length follows in 64 bits; 0: the box reaches to the end.
  const large = size === 1
  if (large && header.byteLength < BOX_HEADER_BYTES) return undefined
  const length = size === 0 ? limit - offset : large ? Number(view.getBigUint64(8)) : size
  const headerBytes = large ? BOX_HEADER_BYTES : SMALLEST_BOX_BYTES
  if (length < headerBytes) return undefined
  const end = offset + length
  return {
    type: String.fromCharCode(...header.subarray(4, 8)),
    offset,
    start: offset + headerBytes,
    end: Math.min(end, limit),
    complete: end <= limit,
  }
}
