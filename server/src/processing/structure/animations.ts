import type { FileWindow } from './file-window.ts'
import { type Excess, kept, METADATA_TOO_DEEP, METADATA_TOO_LARGE, structureLimits } from './limits.ts'
import { measureXmlDepth } from './xml-depth.ts'

const TOO_MANY_FRAMES = kept(structureLimits.frames, 'frames')
const PIECE_BYTES = 16 * 1024

/** A GIF: a header, perhaps a palette, then blocks, each cut into pieces of at most 255 bytes. */
export async function inspectGif(file: FileWindow): Promise<Excess> {
  const header = await file.bytes(0, 13)
  if (header.length < 13) return {}
  let at = 13 + paletteBytes(header[10] ?? 0)
  let [frames, extensions, metadataBytes] = [0, 0, 0]
  const xmp = measureXmlDepth()
  const excess = (picture?: string): Excess => ({
    ...(picture ? { picture } : {}),
    ...(metadataBytes > structureLimits.metadataBytes ? { metadata: METADATA_TOO_LARGE } : {}),
    ...(xmp.deepest > structureLimits.xmpDepth ? { metadata: METADATA_TOO_DEEP } : {}),
  })

  for (;;) {
    const block = await file.bytes(at, 14)
    if (block[0] === 0x2c && block.length >= 11) {
      frames++
      if (frames > structureLimits.frames) return excess(TOO_MANY_FRAMES)
      at = await skipPieces(file, at + 10 + paletteBytes(block[9] ?? 0) + 1)
    } else if (block[0] === 0x21 && block.length >= 3) {
      extensions++
      // Each frame has one of its own, and there are a few more.
      if (extensions > structureLimits.frames + structureLimits.segments) return excess(TOO_MANY_FRAMES)
      const isXmp = block.toString('latin1', 3, 14) === 'XMP DataXMP'
      at = await skipPieces(file, at + 2, piece => {
        // The lengths of the pieces are letters of the XMP itself.
        if (isXmp) xmp.read(piece)
        if (block[1] !== 0xf9) metadataBytes += piece.length
      })
    } else {
      return excess()
    }
  }
}

function paletteBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Where the pieces end. `take` sees each with its length byte. */
async function skipPieces(file: FileWindow, from: number, take?: (piece: Buffer) => void): Promise<number> {
  for (let at = from; ; ) {
    const piece = await file.bytes(at, 256)
    const length = piece[0]
    if (!length) return at + 1
    take?.(piece.subarray(0, length + 1))
    at += length + 1
  }
}

/** A WebP: chunks within one RIFF chunk. */
export async function inspectWebp(file: FileWindow): Promise<Excess> {
  let [frames, others, metadataBytes] = [0, 0, 0]
  const xmp = measureXmlDepth()
  let metadata: string | undefined
  const excess = (picture?: string): Excess => ({ ...(picture ? { picture } : {}), ...(metadata ? { metadata } : {}) })

  for (let at = 12; ; ) {
    const head = await file.bytes(at, 8)
    if (head.length < 8) return excess()
    const type = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (type === 'ANMF') frames++
    else others++
    if (frames > structureLimits.frames) return excess(TOO_MANY_FRAMES)
    if (others > structureLimits.segments) return excess(kept(structureLimits.segments, 'chunks'))
    if (type === 'XMP ' || type === 'EXIF') metadataBytes += length
    if (metadataBytes > structureLimits.metadataBytes) metadata = METADATA_TOO_LARGE
    for (let read = 0; type === 'XMP ' && read < length && !metadata; ) {
      const piece = await file.bytes(at + 8 + read, Math.min(PIECE_BYTES, length - read))
      if (piece.length === 0) break
      xmp.read(piece)
      read += piece.length
      if (xmp.deepest > structureLimits.xmpDepth) metadata = METADATA_TOO_DEEP
    }
    at += 8 + length + (length % 2)
  }
}
