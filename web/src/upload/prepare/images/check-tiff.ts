import { LeftToServer } from '../errors.ts'
import { texts } from '../texts.ts'

const tags = {
  width: 0x0100,
  height: 0x0101,
  photometric: 0x0106,
  subDirectories: 0x014a,
  sampleFormat: 0x0153,
  colourProfile: 0x8773,
  dngVersion: 0xc612,
}

const GREY = new Set([0, 1])
const RGB = 2
const PALETTE = 3
const YCBCR = 6
const WHOLE_NUMBERS = 1

const MOST_ENTRIES = 512
/** Beyond this a phone runs out of memory: the decoder holds the file, its pixels and the picture made of them. */
const MOST_PIXELS = 64_000_000

/**
 * Rejects unless a file is an ordinary photo or scan. Most RAW files are TIFF files too, whose first picture is a small
 * preview, and some colour spaces exist that a canvas does not have; both are left to the server.
 */
export async function checkTiff(file: Blob): Promise<void> {
  const entries = await firstDirectory(file)
  const [photometric = RGB, width = 0, height = 0, sampleFormat = WHOLE_NUMBERS] = [
    entries.get(tags.photometric),
    entries.get(tags.width),
    entries.get(tags.height),
    entries.get(tags.sampleFormat),
  ]
  const isRaw = entries.has(tags.dngVersion) || entries.has(tags.subDirectories)
  if (isRaw || width * height === 0) throw new LeftToServer(texts.leftToServer.unknownPicture)
  if (width * height > MOST_PIXELS) throw new LeftToServer(texts.leftToServer.tooLarge)
  const isGrey = GREY.has(photometric)
  const known = isGrey || photometric === RGB || photometric === PALETTE || photometric === YCBCR
  // Browsers ignore profiles of grey pictures.
  if (!known || (isGrey && entries.has(tags.colourProfile)) || sampleFormat !== WHOLE_NUMBERS) {
    throw new LeftToServer(texts.leftToServer.colours)
  }
}

/** The number of each entry; for entries with several, the first where it fits, else where they are. */
async function firstDirectory(file: Blob): Promise<Map<number, number>> {
  const entries = new Map<number, number>()
  const head = new DataView(await file.slice(0, 10).arrayBuffer())
  if (head.byteLength < 10) return entries
  const little = head.getUint8(0) === 0x49
  const start = head.getUint32(4, little)
  const directory = new DataView(await file.slice(start, start + 2 + MOST_ENTRIES * 12).arrayBuffer())
  if (directory.byteLength < 2) return entries
  const count = Math.min(directory.getUint16(0, little), Math.floor((directory.byteLength - 2) / 12))
  for (let at = 2; at < 2 + count * 12; at += 12) {
    const type = directory.getUint16(at + 2, little)
    const several = directory.getUint32(at + 4, little) > (type === 3 ? 2 : 1)
    const value = type === 3 && !several ? directory.getUint16(at + 8, little) : directory.getUint32(at + 8, little)
    const tag = directory.getUint16(at, little)
    entries.set(tag, tag === tags.sampleFormat && several ? await shortAt(file, value, little) : value)
  }
  return entries
}

async function shortAt(file: Blob, at: number, little: boolean): Promise<number> {
  const bytes = await file.slice(at, at + 2).arrayBuffer()
  return bytes.byteLength === 2 ? new DataView(bytes).getUint16(0, little) : 0
}
