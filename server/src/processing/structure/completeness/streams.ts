import { CLUSTER, EBML, elementAt, SEGMENT } from '../audio-only.ts'
import { endIsMissing, type MissingEnd, missingUpTo, type SizedFile } from './missing-end.ts'

/** Beyond this many, nothing is said. An hour of video has about 1,000 clusters. */
const MAX_ELEMENTS = 10_000

/** Matroska and WebM: the length of the segment or, where a recorder could not know it, the lengths of its clusters. */
export async function missingEndOfMatroska(file: SizedFile): Promise<MissingEnd | undefined> {
  const all = Number.MAX_SAFE_INTEGER
  const header = elementAt(await file.bytes(0, 12), 0, all)
  if (header?.id !== EBML) return endIsMissing
  let at = header.end
  let isOpenEnded = false
  for (let count = 0; count < MAX_ELEMENTS && at < file.size; count++) {
    const element = elementAt(await file.bytes(at, 12), at, all)
    if (!element) return file.size - at < 12 ? endIsMissing : undefined
    const isLong = element.end > file.size
    if (element.id === SEGMENT && element.end === all) {
      isOpenEnded = true
      at = element.start
    } else if (element.end === all || (isLong && !isKnown(element.id))) return undefined
    else if (isLong) return isOpenEnded ? endIsMissing : missingUpTo(element.end, file)
    else at = element.end
  }
  return undefined
}

/** Elements at the top level and in a segment. Other ids are data that does not belong to the file. */
function isKnown(id: number): boolean {
  return (
    id === SEGMENT ||
    id === CLUSTER ||
    // Seek head, information, tracks, cues, attachments, chapters, tags, void.
    [0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367, 0xec].includes(id)
  )
}

const ASF_DATA = Buffer.from('3626b2758e66cf11a6d900aa0062ce6c', 'hex')
const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')

/** Windows Media: the lengths of its objects. That of the data is 0 in a recording that was not finished. */
export async function missingEndOfAsf(file: SizedFile): Promise<MissingEnd | undefined> {
  let hasData = false
  for (let at = 0, count = 0; at + 24 <= file.size && count < MAX_ELEMENTS; count++) {
    const head = Buffer.from(await file.bytes(at, 24))
    const length = Number(head.readBigUInt64LE(16))
    const isData = head.subarray(0, 16).equals(ASF_DATA)
    hasData ||= isData
    if (length < 24) return undefined
    const isPart = isData || head.subarray(0, 16).equals(ASF_HEADER)
    if (at + length > file.size) return isPart ? missingUpTo(at + length, file) : endIsMissing
    at += length
  }
  return hasData ? undefined : endIsMissing
}

const OGG_TAIL_BYTES = 64 * 1024

/** The last page of an Ogg file. A page has at most 65,307 bytes. */
export async function missingEndOfOgg(file: SizedFile): Promise<MissingEnd | undefined> {
  const from = Math.max(0, file.size - OGG_TAIL_BYTES)
  const tail = await file.bytes(from, OGG_TAIL_BYTES)
  const page = tail.lastIndexOf('OggS')
  if (page === -1) return undefined
  const segments = tail[page + 26]
  const table = segments === undefined ? undefined : tail.subarray(page + 27, page + 27 + segments)
  if (!table || table.length < (segments ?? 0)) return endIsMissing
  const end = from + page + 27 + table.length + table.reduce((sum, length) => sum + length, 0)
  return end > file.size ? endIsMissing : undefined
}

const [SOT, EOC, SOD] = [0xff90, 0xffd9, 0xff93]

/** A codestream of JPEG 2000: headers, then parts of tiles with their lengths, then the end marker. */
export async function missingEndOfJpeg2000(file: SizedFile): Promise<MissingEnd | undefined> {
  let at = 2
  for (let count = 0; count < MAX_ELEMENTS; count++) {
    const head = Buffer.from(await file.bytes(at, 12))
    if (head.length < 2) return endIsMissing
    const marker = head.readUInt16BE(0)
    if (marker === EOC) return undefined
    if (head.length < 12 && marker === SOT) return endIsMissing
    if (marker === SOD || (marker === SOT && head.readUInt32BE(6) === 0)) return endsWith(file, EOC)
    if (head.length < 4) return endIsMissing
    at += marker === SOT ? head.readUInt32BE(6) : 2 + head.readUInt16BE(2)
    if (at > file.size) return endIsMissing
  }
  return undefined
}

async function endsWith(file: SizedFile, marker: number): Promise<MissingEnd | undefined> {
  const last = await file.bytes(file.size - 2, 2)
  return last.length === 2 && last.readUInt16BE(0) === marker ? undefined : endIsMissing
}
