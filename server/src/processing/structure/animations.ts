import type { Box } from '#contract/iso-boxes.ts'
import { boxesIn, type FileWindow } from './file-window.ts'

import { type Inspection, METADATA_TOO_DEEP, METADATA_TOO_LARGE, structureLimits, tooManyMessage } from './limits.ts'
import { createXmlDepthMeter } from './xml-depth.ts'

const TOO_MANY_FRAMES = tooManyMessage(structureLimits.frames, 'frames')
const TOO_MANY_PIECES = tooManyMessage(structureLimits.gifSubBlocks, 'blocks')
const PIECE_BYTES = 16 * 1024
/** A sub-block of a GIF with its length byte. */
const GIF_PIECE_BYTES = 256

/** A GIF: a header, an optional palette, then blocks, each divided into sub-blocks of at most 255 bytes. */
export async function inspectGif(file: FileWindow): Promise<Inspection> {
  const header = await file.bytes(0, 13)
  if (header.length < 13) return {}
  let at = 13 + paletteBytes(header[10] ?? 0)
  let [frames, extensions, pieces, metadataBytes] = [0, 0, 0, 0]
  const xmp = createXmlDepthMeter()
  const excess = (picture?: string): Inspection => ({
    frames,
    ...(picture ? { picture } : {}),
    ...(metadataBytes > structureLimits.metadataBytes ? { metadata: METADATA_TOO_LARGE } : {}),
    ...(xmp.deepest > structureLimits.xmpDepth ? { metadata: METADATA_TOO_DEEP } : {}),
  })

  for (;;) {
    const block = await file.bytes(at, 14)
    if (block[0] === 0x2c && block.length >= 11) {
      frames++
      if (frames > structureLimits.frames) return excess(TOO_MANY_FRAMES)
      at = await walkSubBlocks(
        file,
        at + 10 + paletteBytes(block[9] ?? 0) + 1,
        () => ++pieces <= structureLimits.gifSubBlocks,
      )
    } else if (block[0] === 0x21 && block.length >= 3) {
      extensions++
      // One per frame, and a few more.
      if (extensions > structureLimits.frames + structureLimits.segments) return excess(TOO_MANY_FRAMES)
      const isXmp = block.toString('latin1', 3, 14) === 'XMP DataXMP'
      xmp.startText()
      at = await walkSubBlocks(file, at + 2, (bytes, from, to) => {
        if (block[1] !== 0xf9) metadataBytes += to - from
        // In XMP the length bytes are characters of the text.
        if (isXmp && metadataBytes <= structureLimits.metadataBytes) xmp.read(bytes.subarray(from, to))
        return ++pieces <= structureLimits.gifSubBlocks
      })
    } else {
      return excess()
    }
    if (pieces > structureLimits.gifSubBlocks) return excess(TOO_MANY_PIECES)
  }
}

function paletteBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Called with each sub-block, including its length byte; false ends the walk. */
type SubBlockVisitor = (bytes: Buffer, from: number, to: number) => boolean

/** Returns the offset where the sub-blocks end, or where `take` returned false. */
async function walkSubBlocks(file: FileWindow, from: number, take: SubBlockVisitor): Promise<number> {
  for (let at = from; ; ) {
    // Sub-blocks in the buffer are handled synchronously: there can be millions of one byte.
    await file.bytes(at, GIF_PIECE_BYTES)
    const bytes = await file.rest(at)
    let offset = 0
    do {
      const length = bytes[offset]
      if (!length) return at + offset + 1
      const next = offset + length + 1
      if (!take(bytes, offset, next)) return at + next
      offset = next
    } while (offset + GIF_PIECE_BYTES <= bytes.length)
    at += offset
  }
}

/** A WebP: chunks within one RIFF chunk. */
export async function inspectWebp(file: FileWindow): Promise<Inspection> {
  let [frames, others, metadataBytes] = [0, 0, 0]
  const xmp = createXmlDepthMeter()
  let metadata: string | undefined
  const excess = (picture?: string): Inspection => ({
    frames,
    ...(picture ? { picture } : {}),
    ...(metadata ? { metadata } : {}),
  })

  for (let at = 12; ; ) {
    const head = await file.bytes(at, 8)
    if (head.length < 8) return excess()
    const type = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (type === 'ANMF') frames++
    else others++
    if (frames > structureLimits.frames) return excess(TOO_MANY_FRAMES)
    if (others > structureLimits.segments) return excess(tooManyMessage(structureLimits.segments, 'chunks'))
    if (type === 'XMP ' || type === 'EXIF') metadataBytes += length
    if (metadataBytes > structureLimits.metadataBytes) metadata = METADATA_TOO_LARGE
    xmp.startText()
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

const ALL = Number.MAX_SAFE_INTEGER
/** Path of boxes from a track to the table with one entry per frame. */
const TO_SAMPLES = ['mdia', 'minf', 'stbl']

/** An AVIF: a picture, or a sequence with several tracks, one of which may be the alpha channel. */
export async function inspectAvif(file: FileWindow): Promise<Inspection> {
  let frames = 1
  for await (const box of boxesIn(file, 0, ALL)) {
    if (box.type !== 'moov') continue
    for await (const track of boxesIn(file, box.start, box.end)) {
      if (track.type === 'trak') frames = Math.max(frames, await samplesOf(file, track, TO_SAMPLES))
    }
    break
  }
  return { frames, ...(frames > structureLimits.frames ? { picture: TOO_MANY_FRAMES } : {}) }
}

async function samplesOf(file: FileWindow, within: Box, [next, ...path]: readonly string[]): Promise<number> {
  for await (const box of boxesIn(file, within.start, within.end)) {
    if (next !== undefined && box.type === next) return samplesOf(file, box, path)
    if (next === undefined && (box.type === 'stsz' || box.type === 'stz2')) {
      const table = await file.bytes(box.start, 12)
      return table.length < 12 ? 0 : table.readUInt32BE(8)
    }
  }
  return 0
}
