import { endIsMissing, type MissingEnd, missingUpTo, type SizedFile } from './missing-end.ts'

/** Fujifilm: offset and length of the preview, of the description and of the pixels. */
export async function missingEndOfRaf(file: SizedFile): Promise<MissingEnd | undefined> {
  const head = await file.bytes(84, 24)
  if (head.length < 24) return endIsMissing
  const ends = [0, 8, 16].map(at => head.readUInt32BE(at) + head.readUInt32BE(at + 4))
  return missingUpTo(Math.max(...ends), file)
}

const CIFF_ENTRY_BYTES = 10
const MAX_CIFF_ENTRIES = 200
/** In the first two bits of the type of an entry: whether its value is in the entry itself. */
const CIFF_IN_ENTRY = 0x4000

/** Canon's old format (CIFF): the last four bytes are the offset of the directory, which ends just before them. */
export async function missingEndOfCrw(file: SizedFile): Promise<MissingEnd | undefined> {
  const head = Buffer.from(await file.bytes(0, 6))
  const last = Buffer.from(await file.bytes(Math.max(0, file.size - 4), 4))
  if (head.length < 6 || last.length < 4) return endIsMissing
  const little = head.toString('latin1', 0, 2) === 'II'
  const short = (bytes: Buffer, at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (bytes: Buffer, at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const heap = long(head, 2)
  const directory = heap + long(last, 0)
  if (directory + 6 > file.size) return endIsMissing
  const count = short(await file.bytes(directory, 2), 0)
  if (count === 0 || count > MAX_CIFF_ENTRIES || directory + 2 + count * CIFF_ENTRY_BYTES > file.size - 4) {
    return endIsMissing
  }
  const entries = Buffer.from(await file.bytes(directory + 2, count * CIFF_ENTRY_BYTES))
  for (let at = 0; at < entries.length; at += CIFF_ENTRY_BYTES) {
    const isInEntry = (short(entries, at) & 0xc000) === CIFF_IN_ENTRY
    if (!isInEntry && heap + long(entries, at + 6) + long(entries, at + 2) > directory) return endIsMissing
  }
  return undefined
}

/** Sigma: the last four bytes are the offset of the directory. */
export async function missingEndOfX3f(file: SizedFile): Promise<MissingEnd | undefined> {
  const last = await file.bytes(Math.max(0, file.size - 4), 4)
  if (last.length < 4) return endIsMissing
  const directory = await file.bytes(last.readUInt32LE(0), 4)
  return directory.toString('latin1') === 'SECd' ? undefined : endIsMissing
}

/** Minolta: the header states its length and, in its first block, the size of the picture, whose pixels follow. */
export async function missingEndOfMrw(file: SizedFile): Promise<MissingEnd | undefined> {
  const head = await file.bytes(0, 40)
  if (head.length < 40) return endIsMissing
  const pixelsAt = 8 + head.readUInt32BE(4)
  const isSize = head.toString('latin1', 9, 12) === 'PRD'
  const [height, width, bits] = [head.readUInt16BE(24), head.readUInt16BE(26), head[32] ?? 0]
  return missingUpTo(isSize ? pixelsAt + Math.floor((width * height * bits) / 8) : pixelsAt, file)
}
