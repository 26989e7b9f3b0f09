import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import type { FileWindow } from './file-window.ts'
import { type Inspection, METADATA_TOO_LARGE, structureLimits, tooManyMessage } from './limits.ts'

const SIGNATURE_BYTES = 8
/** Keywords have 79 letters at most; language and translated keyword of an iTXt are as short in practice. */
const TEXT_HEADER_BYTES = 1_024
const PIECE_BYTES = 16 * 1024
const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt', 'iCCP', 'eXIf'])

interface Text {
  /** Offset of the text in the chunk. */
  start: number
  compressed: boolean
}

const PICTURE_CHUNKS = new Set([
  ...['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'bKGD', 'pHYs'],
  ...['cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP'],
])

/** Whether it has only the chunks that decoders use, and nothing after its end. */
export async function isPictureOnlyPng(file: FileWindow): Promise<boolean> {
  for (let at = SIGNATURE_BYTES; ; ) {
    const head = await file.bytes(at, 8)
    const type = head.toString('latin1', 4, 8)
    if (!PICTURE_CHUNKS.has(type)) return false
    at += 12 + head.readUInt32BE(0)
    if (type === 'IEND') return (await file.bytes(at - 4, 5)).length === 4
  }
}

/** Walks the chunks. Compressed ones that hold metadata are inflated piece by piece, up to the limit. */
export async function inspectPng(file: FileWindow): Promise<Inspection> {
  let [others, frames, pixelChunks, metadataBytes] = [0, 0, 0, 0]
  let metadata: string | undefined
  const excess = (picture?: string): Inspection => ({
    frames,
    ...(picture ? { picture } : {}),
    ...(metadata ? { metadata } : {}),
  })

  for (let at = SIGNATURE_BYTES; ; ) {
    const head = await file.bytes(at, 8)
    if (head.length < 8) return excess()
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    if (type === 'IEND') return excess()
    if (type === 'fcTL') frames++
    else if (type === 'IDAT' || type === 'fdAT') pixelChunks++
    else others++
    if (frames > structureLimits.frames) return excess(tooManyMessage(structureLimits.frames, 'frames'))
    if (others > structureLimits.segments) return excess(tooManyMessage(structureLimits.segments, 'chunks'))
    if (pixelChunks > structureLimits.pixelChunks) return excess(tooManyMessage(structureLimits.pixelChunks, 'chunks'))
    const holdsText = TEXT_CHUNKS.has(type) && !metadata
    const text = holdsText && textIn(type, await file.bytes(at + 8, Math.min(length, TEXT_HEADER_BYTES)))
    if (text) {
      await forEachChunk(readPieces(file, at + 8 + text.start, at + 8 + length), text.compressed, piece => {
        metadataBytes += piece.length
        if (metadataBytes > structureLimits.metadataBytes) metadata = METADATA_TOO_LARGE
        return metadata === undefined
      })
    }
    at += 12 + length
  }
}

function textIn(type: string, head: Buffer): Text | undefined {
  if (type === 'eXIf') return { start: 0, compressed: false }
  const end = head.indexOf(0)
  if (end === -1) return undefined
  if (type === 'tEXt') return { start: end + 1, compressed: false }
  if (type !== 'iTXt') return { start: end + 2, compressed: true }
  // The language and the translated keyword end with a zero each.
  const language = head.indexOf(0, end + 3)
  const translated = language === -1 ? -1 : head.indexOf(0, language + 1)
  if (translated === -1) return { start: end + 3, compressed: false }
  return { start: translated + 1, compressed: head[end + 1] === 1 }
}

async function* readPieces(file: FileWindow, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const piece = await file.bytes(at, Math.min(PIECE_BYTES, to - at))
    if (piece.length === 0) return
    at += piece.length
    // Copied, since the buffer of the window is reused while inflating continues.
    yield Buffer.from(piece)
  }
}

/** Calls `take` with each piece, inflated if compressed, until it returns false. Invalid deflate data ends early. */
async function forEachChunk(
  pieces: AsyncIterable<Buffer>,
  compressed: boolean,
  take: (piece: Buffer) => boolean,
): Promise<void> {
  let enough = false
  const takeAll = async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) {
      if (take(piece)) continue
      enough = true
      return
    }
  }
  if (!compressed) return takeAll(pieces)
  try {
    await pipeline(pieces, createInflate({ chunkSize: 64 * 1024 }), takeAll)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!enough && !code.startsWith('Z_')) throw error
  }
}
