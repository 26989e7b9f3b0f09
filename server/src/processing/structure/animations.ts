import type { Box } from '#contract/iso-boxes.ts'
import { readJxlHeader } from '#contract/jxl.ts'
import { boxesIn, type FileWindow } from './file-window.ts'
import { type Inspection, METADATA_TOO_LARGE, structureLimits, tooManyMessage } from './limits.ts'

const TOO_MANY_FRAMES = tooManyMessage(structureLimits.frames, 'frames')
const TOO_MANY_PIECES = tooManyMessage(structureLimits.gifSubBlocks, 'blocks')
/** A sub-block of a GIF with its length byte. */
const GIF_PIECE_BYTES = 256

/** A GIF: a header, an optional palette, then blocks, each divided into sub-blocks of at most 255 bytes. */
export async function inspectGif(file: FileWindow): Promise<Inspection> {
  const header = await file.bytes(0, 13)
  if (header.length < 13) return {}
  let at = 13 + paletteBytes(header[10] ?? 0)
  let [frames, extensions, pieces, metadataBytes] = [0, 0, 0, 0]
  const excess = (picture?: string): Inspection => ({
    frames,
    ...(picture ? { picture } : {}),
    ...(metadataBytes > structureLimits.metadataBytes ? { metadata: METADATA_TOO_LARGE } : {}),
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
      at = await walkSubBlocks(file, at + 2, (from, to) => {
        if (block[1] !== 0xf9) metadataBytes += to - from
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
type SubBlockVisitor = (from: number, to: number) => boolean

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
      if (!take(offset, next)) return at + next
      offset = next
    } while (offset + GIF_PIECE_BYTES <= bytes.length)
    at += offset
  }
}

/** A WebP: chunks within one RIFF chunk. */
export async function inspectWebp(file: FileWindow): Promise<Inspection> {
  let [frames, others, metadataBytes] = [0, 0, 0]
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
    at += 8 + length + (length % 2)
  }
}

const ALL = Number.MAX_SAFE_INTEGER
/** Paths of boxes from a track to the table with one entry per frame, and to the kind of track. */
const TO_SAMPLES = ['mdia', 'minf', 'stbl']
const TO_HANDLER = ['mdia']

/** An AVIF: a picture, or a sequence with several tracks, one of which may be the alpha channel. */
export async function inspectAvif(file: FileWindow): Promise<Inspection> {
  let frames = 1
  for await (const track of tracksIn(file)) frames = Math.max(frames, await samplesOf(file, track))
  return { frames, ...(frames > structureLimits.frames ? { picture: TOO_MANY_FRAMES } : {}) }
}

/** Frames of a HEIF sequence. Tracks of video do not count: some phones append the clip of a motion photo. */
export async function countHeifFrames(file: FileWindow): Promise<number> {
  let frames = 1
  for await (const track of tracksIn(file)) {
    if (await isPictureTrack(file, track)) frames = Math.max(frames, await samplesOf(file, track))
  }
  return frames
}

const JXL_HEAD_BYTES = 4_096

/** 2 for a JPEG XL that is animated: how many frames it has is known only after decoding. */
export async function countJxlFrames(file: FileWindow): Promise<number> {
  try {
    return readJxlHeader(await file.bytes(0, JXL_HEAD_BYTES))?.animated ? 2 : 1
  } catch (error) {
    if (error instanceof RangeError) return 1
    throw error
  }
}

async function* tracksIn(file: FileWindow): AsyncGenerator<Box> {
  for await (const box of boxesIn(file, 0, ALL)) {
    if (box.type !== 'moov') continue
    for await (const track of boxesIn(file, box.start, box.end)) if (track.type === 'trak') yield track
    return
  }
}

async function samplesOf(file: FileWindow, track: Box): Promise<number> {
  const sizes = await findBox(file, track, TO_SAMPLES, ['stsz', 'stz2'])
  const table = sizes && (await file.bytes(sizes.start, 12))
  return !table || table.length < 12 ? 0 : table.readUInt32BE(8)
}

async function isPictureTrack(file: FileWindow, track: Box): Promise<boolean> {
  const handler = await findBox(file, track, TO_HANDLER, ['hdlr'])
  return handler !== undefined && (await file.bytes(handler.start, 12)).toString('latin1', 8, 12) === 'pict'
}

async function findBox(
  file: FileWindow,
  within: Box,
  [next, ...path]: readonly string[],
  types: readonly string[],
): Promise<Box | undefined> {
  for await (const box of boxesIn(file, within.start, within.end)) {
    if (next !== undefined && box.type === next) return findBox(file, box, path, types)
    if (next === undefined && types.includes(box.type)) return box
  }
  return undefined
}
