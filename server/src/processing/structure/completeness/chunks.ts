import { endIsMissing, type MissingEnd, missingUpTo, type SizedFile } from './missing-end.ts'

/** Encoders write 8 KB of pixels into each chunk of a PNG, or all into one. Beyond this many, nothing is said. */
const MAX_CHUNKS = 20_000
const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex')

export async function missingEndOfPng(file: SizedFile): Promise<MissingEnd | undefined> {
  const last = await file.bytes(Math.max(0, file.size - PNG_END.length), PNG_END.length)
  if (last.equals(PNG_END)) return undefined
  let at = 8
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const head = await file.bytes(at, 8)
    if (head.length < 8) return endIsMissing
    const type = head.toString('latin1', 4, 8)
    at += 12 + head.readUInt32BE(0)
    if (at > file.size) return endIsMissing
    if (type === 'IEND') return undefined
  }
  return undefined
}

/** The header of a WebP states its length. */
export async function missingEndOfWebp(file: SizedFile): Promise<MissingEnd | undefined> {
  const head = await file.bytes(0, 8)
  return head.length < 8 ? endIsMissing : missingUpTo(8 + head.readUInt32LE(4), file)
}

/** An AVI consists of one RIFF, or of several if it is longer than 1 GB. */
export async function missingEndOfAvi(file: SizedFile): Promise<MissingEnd | undefined> {
  let at = 0
  for (let riff = 0; riff < MAX_CHUNKS && at + 12 <= file.size; riff++) {
    const head = await file.bytes(at, 12)
    if (head.toString('latin1', 0, 4) !== 'RIFF') return undefined
    const length = head.readUInt32LE(4)
    const end = at + 8 + length
    if (end > file.size && !(await countsItsHeader(file, at, end))) return missingUpTo(end, file)
    at = end + (length % 2)
  }
  return undefined
}

/** Some programs include the header of the RIFF in its length. Then its last chunk ends where the file does. */
async function countsItsHeader(file: SizedFile, start: number, end: number): Promise<boolean> {
  if (end - file.size !== 8) return false
  let at = start + 12
  for (let chunk = 0; chunk < MAX_CHUNKS && at + 8 <= file.size; chunk++) {
    const length = (await file.bytes(at + 4, 4)).readUInt32LE(0)
    at += 8 + length + (length % 2)
  }
  return at === file.size || at === file.size + 1
}

const GIF_END = 0x3b
/** In longer files without an end, nothing is said. */
const MAX_GIF_BYTES = 64 * 1024 * 1024

/** A GIF ends with an empty sub-block and its end marker; padding may follow. */
export async function missingEndOfGif(file: SizedFile): Promise<MissingEnd | undefined> {
  const last = await file.bytes(Math.max(0, file.size - 2), 2)
  if (last[0] === 0 && last[1] === GIF_END) return undefined
  if (file.size > MAX_GIF_BYTES) return undefined
  const header = await file.bytes(0, 13)
  if (header.length < 13) return endIsMissing
  let at = 13 + paletteBytes(header[10])
  for (;;) {
    const block = await file.bytes(at, 10)
    if (block[0] === GIF_END) return undefined
    if (block[0] === 0x2c && block.length === 10) at = await endOfSubBlocks(file, at + 11 + paletteBytes(block[9]))
    else if (block[0] === 0x21) at = await endOfSubBlocks(file, at + 2)
    // Decoders stop at anything else: what is left is no part of the picture.
    else return block.length < 10 ? endIsMissing : undefined
    if (at > file.size) return endIsMissing
  }
}

function paletteBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Beyond the end of the file if their end is not found. */
async function endOfSubBlocks(file: SizedFile, from: number): Promise<number> {
  for (let at = from; at < file.size; ) {
    const bytes = await file.rest(at)
    let offset = 0
    while (offset < bytes.length) {
      const length = bytes[offset] ?? 0
      offset += length + 1
      if (length === 0) return at + offset
    }
    at += offset
  }
  return Number.POSITIVE_INFINITY
}

/** The pixels of a BMP that is not compressed. */
export async function missingEndOfBmp(file: SizedFile): Promise<MissingEnd | undefined> {
  const head = await file.bytes(0, 34)
  if (head.length < 34) return endIsMissing
  const [pixelsAt, headerBytes] = [head.readUInt32LE(10), head.readUInt32LE(14)]
  const isCompressed = headerBytes >= 40 && ![0, 3].includes(head.readUInt32LE(30))
  if (headerBytes < 40 || isCompressed) return undefined
  const [width, height] = [Math.abs(head.readInt32LE(18)), Math.abs(head.readInt32LE(22))]
  const rowBytes = Math.ceil((width * head.readUInt16LE(28)) / 32) * 4
  return missingUpTo(pixelsAt + rowBytes * height, file)
}

/** Tables of rows that are longer are not added up. */
const MAX_ROW_TABLE_BYTES = 4 * 1024 * 1024

/** Photoshop: three sections with their lengths, then the merged picture, stored as it is or row by row. */
export async function missingEndOfPsd(file: SizedFile): Promise<MissingEnd | undefined> {
  const head = Buffer.from(await file.bytes(0, 26))
  if (head.length < 26) return endIsMissing
  const isLarge = head.readUInt16BE(4) === 2
  const [channels, height, width] = [head.readUInt16BE(12), head.readUInt32BE(14), head.readUInt32BE(18)]
  let at = 26
  for (const wide of [4, 4, isLarge ? 8 : 4]) {
    const length = await file.bytes(at, wide)
    if (length.length < wide) return missingUpTo(at + wide, file)
    at += wide + (wide === 8 ? Number(length.readBigUInt64BE(0)) : length.readUInt32BE(0))
  }
  const compression = await file.bytes(at, 2)
  if (compression.length < 2) return missingUpTo(at + 2, file)
  at += 2
  const rows = channels * height
  if (compression[1] === 0) return missingUpTo(at + rows * Math.ceil((width * head.readUInt16BE(22)) / 8), file)
  const entryBytes = isLarge ? 4 : 2
  if (compression[1] !== 1 || rows * entryBytes > MAX_ROW_TABLE_BYTES) return undefined
  let end = at + rows * entryBytes
  for (let row = 0; row < rows; row++) {
    const entry = await file.bytes(at + row * entryBytes, entryBytes)
    if (entry.length < entryBytes) break
    end += entry.readUIntBE(0, entryBytes)
  }
  return missingUpTo(end, file)
}
