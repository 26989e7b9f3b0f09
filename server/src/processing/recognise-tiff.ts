import type { ImageFormat } from './formats.ts'

const tags = {
  kindOfPicture: 0x00fe,
  meaningOfPixels: 0x0106,
  make: 0x010f,
  furtherDirectories: 0x014a,
  dngVersion: 0xc612,
}

const REDUCED_PICTURE = 1
const COLOUR_FILTER_ARRAY = 32803
/** More entries than any camera writes; it bounds the walk through a hostile directory. */
const MAX_TIFF_ENTRIES = 512

const rawFormatOfMaker: [maker: RegExp, format: ImageFormat][] = [
  [/^nikon/i, 'nef'],
  [/^sony/i, 'arw'],
  [/^(pentax|ricoh)/i, 'pef'],
  [/^samsung/i, 'srw'],
  [/^(seiko )?epson/i, 'erf'],
  [/^(eastman )?kodak/i, 'dcr'],
  [/^hasselblad/i, 'hasselblad'],
  [/^canon/i, 'cr2'],
]

/**
 * Most RAW files are TIFF files whose first picture is a small preview. Told apart by the first directory, which
 * cameras put at the beginning; where it lies past the head it is an ordinary TIFF.
 */
export function detectTiff(head: Buffer): ImageFormat | undefined {
  if (head.length < 12) return undefined
  const order = head.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const little = order === 'II'
  const version = little ? head.readUInt16LE(2) : head.readUInt16BE(2)
  if (version === 43) return 'tiff'
  if (version !== 42) return undefined
  if (head.toString('latin1', 8, 10) === 'CR') return 'cr2'
  const entries = firstDirectory(new DataView(head.buffer, head.byteOffset, head.byteLength), little)
  if (entries.has(tags.dngVersion)) return 'dng'
  const preview = entries.get(tags.kindOfPicture)?.value === REDUCED_PICTURE && entries.has(tags.furtherDirectories)
  const undeveloped = entries.get(tags.meaningOfPixels)?.value === COLOUR_FILTER_ARRAY
  if (!preview && !undeveloped) return 'tiff'
  const make = entries.get(tags.make)
  const maker = make ? head.toString('latin1', make.value, make.value + Math.min(make.count, 32)) : ''
  return rawFormatOfMaker.find(([name]) => name.test(maker))?.[1] ?? 'tiff'
}

interface Entry {
  readonly count: number
  /** The value where it is one number, else the place where the values stand. */
  readonly value: number
}

function firstDirectory(view: DataView, little: boolean): Map<number, Entry> {
  const entries = new Map<number, Entry>()
  const directory = view.getUint32(4, little)
  if (directory + 2 > view.byteLength) return entries
  const count = Math.min(view.getUint16(directory, little), MAX_TIFF_ENTRIES)
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12
    if (at + 12 > view.byteLength) break
    const short = view.getUint16(at + 2, little) === 3
    entries.set(view.getUint16(at, little), {
      count: view.getUint32(at + 4, little),
      value: short ? view.getUint16(at + 8, little) : view.getUint32(at + 8, little),
    })
  }
  return entries
}
