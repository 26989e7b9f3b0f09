/** A box of an ISO base media file (ISO 14496-12): MP4, QuickTime, HEIF, AVIF. Offsets count from the start of the file. */
export interface Box {
  readonly type: string
  /** Offset of its header. */
  readonly offset: number
  /** Offsets of its content. The end never exceeds the end of the enclosing box. */
  readonly start: number
  readonly end: number
  /** What the header claims, header included. */
  readonly length: number
  /** False if the header claims more bytes than the enclosing box has. */
  readonly complete: boolean
}

/** The longest header: size, type and a 64-bit size. */
export const BOX_HEADER_BYTES = 16
/** With fewer bytes left, no box can follow. */
export const SMALLEST_BOX_BYTES = 8

/**
 * Parses the header of the box at `offset` from up to {@link BOX_HEADER_BYTES} bytes; `limit` is where the enclosing box
 * or the file ends. Undefined if the header is invalid.
 */
export function parseBoxHeader(header: Uint8Array, offset: number, limit: number): Box | undefined {
  if (header.byteLength < SMALLEST_BOX_BYTES) return undefined
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const size = view.getUint32(0)
  // 1: a 64-bit size follows; 0: the box extends to the end.
  const large = size === 1
  if (large && header.byteLength < BOX_HEADER_BYTES) return undefined
  const length = size === 0 ? limit - offset : large ? Number(view.getBigUint64(8)) : size
  const headerBytes = large ? BOX_HEADER_BYTES : SMALLEST_BOX_BYTES
  if (length < headerBytes) return undefined
  const end = offset + length
  return {
    type: String.fromCharCode(...header.subarray(4, 8)),
    offset,
    length,
    start: offset + headerBytes,
    end: Math.min(end, limit),
    complete: end <= limit,
  }
}
