import { type Format, formats, type ImageFormat, type VideoFormat } from './formats.ts'

import { readHead } from './structure/file-window.ts'

export type DetectedFormat = { readonly mime: string; readonly extension: string; readonly browserShows: boolean } & (
  | { readonly kind: 'image'; readonly format: ImageFormat }
  | { readonly kind: 'video'; readonly format: VideoFormat }
)

/** How many bytes from the start of a file {@link detectFormatOfBytes} needs. */
export const HEAD_BYTES = 16 * 1024

/** Detects the format from the first bytes (magic numbers), regardless of the file's name and claimed MIME type. */
export async function detectFormat(path: string): Promise<DetectedFormat | undefined> {
  return detectFormatOfBytes(await readHead(path, HEAD_BYTES))
}

/**
 * Checks signatures at fixed offsets and reads nothing beyond the head, so hostile files cost nothing. Undefined for all
 * other formats: SVG and HTML (which could run scripts), playlists (which could make a decoder fetch), audio, documents.
 */
export function detectFormatOfBytes(head: Uint8Array): DetectedFormat | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES))
  const format = formatOf(bytes)
  return format && ({ format, ...formats[format] } as DetectedFormat)
}

function formatOf(head: Buffer): Format | undefined {
  for (const [format, offset, signature] of signatures) {
    if (head.subarray(offset, offset + signature.length).equals(signature)) return format
  }
  for (const recogniser of detectors) {
    const format = recogniser(head)
    if (format) return format
  }
  return undefined
}

/** Formats with a fixed signature. */
const signatures: [format: Format, offset: number, signature: Buffer][] = [
  ['jpeg', 0, bytes('ff d8 ff')],
  ['png', 0, bytes('89 50 4e 47 0d 0a 1a 0a')],
  ['gif', 0, Buffer.from('GIF87a')],
  ['gif', 0, Buffer.from('GIF89a')],
  ['jxl', 0, bytes('ff 0a')],
  ['jxl', 0, bytes('00 00 00 0c 4a 58 4c 20 0d 0a 87 0a')],
  ['j2k', 0, bytes('ff 4f ff 51')],
  ['psd', 0, Buffer.from('8BPS\0\x01')],
  ['psb', 0, Buffer.from('8BPS\0\x02')],
  ['raf', 0, Buffer.from('FUJIFILMCCD-RAW')],
  ['orf', 0, Buffer.from('IIRO')],
  ['orf', 0, Buffer.from('IIRS')],
  ['orf', 0, Buffer.from('MMOR')],
  ['rw2', 0, Buffer.from('IIU\0')],
  ['x3f', 0, Buffer.from('FOVb')],
  ['crw', 6, Buffer.from('HEAPCCDR')],
  ['mrw', 0, Buffer.from('\0MRM')],
  // An MPEG programme stream, and a bare MPEG picture sequence.
  ['mpg', 0, bytes('00 00 01 ba')],
  ['mpg', 0, bytes('00 00 01 b3')],
  ['mxf', 0, bytes('06 0e 2b 34 02 05 01 01 0d 01 02')],
]

const detectors = [
  ...[riff, detectTiff, isoMedia, jpeg2000, matroska, ogg, windowsMedia, flash, transportStream, digitalVideo],
  bitmap,
]

function riff(head: Buffer): Format | undefined {
  if (text(head, 0, 4) !== 'RIFF') return undefined
  const type = text(head, 8, 12)
  if (type === 'WEBP') return 'webp'
  return type === 'AVI ' ? 'avi' : undefined
}

/** Major brands of ISO files with audio only. */
export const audioBrands: ReadonlySet<string> = new Set(['M4A ', 'M4B ', 'M4P ', 'F4A ', 'F4B ', 'aax ', 'aaxc'])
/** Pictures and picture sequences, with any codec. */
const heifBrands = new Set([
  ...'heic heix heim heis hevc hevx hevm hevs mif1 mif2 mif3 msf1'.split(' '),
  ...'avci avcs vvic vvis evbi evbs j2ki j2is jpeg jpgs'.split(' '),
])
/** A picture in a minimised box ("mini"); the codec is where other files have a version. */
const MINIMISED = 'mif3'
/** First boxes of QuickTime files without an `ftyp` box. */
const oldQuickTimeBoxes = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

function isoMedia(head: Buffer): Format | undefined {
  if (head.length < 16) return undefined
  const box = text(head, 4, 8)
  if (oldQuickTimeBoxes.has(box)) return 'mov'
  if (box !== 'ftyp') return undefined
  const major = text(head, 8, 12)
  if (audioBrands.has(major)) return undefined
  if (major === 'qt  ') return 'mov'
  if (major === 'crx ') return 'cr3'
  if (major.startsWith('M4V')) return 'm4v'
  if (major.startsWith('3g2')) return '3g2'
  if (major.startsWith('3g')) return '3gp'
  // The major brand of a still may be generic (mif1); then the compatible brands decide.
  const brands = [major, ...compatibleBrands(head)]
  if (major === MINIMISED) brands.push(text(head, 12, 16))
  if (brands.includes('avif') || brands.includes('avis')) return 'avif'
  return brands.some(brand => heifBrands.has(brand)) ? 'heic' : 'mp4'
}

/** Whether a picture is in the minimised form of HEIF and AVIF, which few decoders read. */
export async function isMinimised(path: string): Promise<boolean> {
  const head = await readHead(path, HEAD_BYTES)
  return text(head, 4, 8) === 'ftyp' && [text(head, 8, 12), ...compatibleBrands(head)].includes(MINIMISED)
}

/** JP2 and JPX. Motion JPEG 2000, a video in the same container, is not supported. */
function jpeg2000(head: Buffer): Format | undefined {
  if (!head.subarray(0, 12).equals(bytes('00 00 00 0c 6a 50 20 20 0d 0a 87 0a'))) return undefined
  return text(head, 20, 24) === 'mjp2' ? undefined : 'jp2'
}

function compatibleBrands(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands: string[] = []
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text(head, at, at + 4))
  return brands
}

function matroska(head: Buffer): Format | undefined {
  if (!head.subarray(0, 4).equals(bytes('1a 45 df a3'))) return undefined
  const header = text(head, 4, 80)
  if (header.includes('webm')) return 'webm'
  return header.includes('matroska') ? 'mkv' : undefined
}

/** An Ogg file declares all its streams at the beginning; one of them must be video. */
function ogg(head: Buffer): Format | undefined {
  if (text(head, 0, 4) !== 'OggS') return undefined
  const introductions = ['\x80theora', 'OVP80', 'BBCD\0']
  return introductions.some(words => head.includes(words, 0, 'latin1')) ? 'ogg' : undefined
}

const asfHeader = bytes('30 26 b2 75 8e 66 cf 11 a6 d9 00 aa 00 62 ce 6c')
const asfPicture = bytes('c0 ef 19 bc 4d 5b cf 11 a8 fd 00 80 5f 5c 44 2b')

function windowsMedia(head: Buffer): Format | undefined {
  return head.subarray(0, 16).equals(asfHeader) && head.includes(asfPicture) ? 'wmv' : undefined
}

function flash(head: Buffer): Format | undefined {
  const soundAlone = head[4] === 0b100
  return text(head, 0, 4) === 'FLV\x01' && !soundAlone ? 'flv' : undefined
}

/** A transport stream has no header, only 0x47 every 188 bytes, or every 192 when each packet has a timestamp. */
function transportStream(head: Buffer): Format | undefined {
  const beats = (first: number, distance: number) =>
    [0, 1, 2, 3, 4].every(packet => head[first + packet * distance] === 0x47)
  if (beats(0, 188)) return 'ts'
  return beats(4, 192) ? 'mts' : undefined
}

const DV_BLOCK = 80

/**
 * DV of MiniDV camcorders: blocks of 80 bytes. A header block is followed by two of subcode, three of auxiliary data.
 */
function digitalVideo(head: Buffer): Format | undefined {
  const [SUBCODE, AUXILIARY] = [0b001, 0b010]
  const isHeader = head.length > 6 * DV_BLOCK && (head.readUInt32BE(0) & 0xffffff7f) === 0x1f07003f
  const sections = [1, 2, 3, 4, 5].map(block => (head[block * DV_BLOCK] ?? 0) >> 5)
  const expected = [SUBCODE, SUBCODE, AUXILIARY, AUXILIARY, AUXILIARY]
  return isHeader && sections.every((section, block) => section === expected[block]) ? 'dv' : undefined
}

function bitmap(head: Buffer): Format | undefined {
  if (text(head, 0, 2) !== 'BM' || head.length < 18) return undefined
  // Two letters are a weak signature, so the length of the second header must be a valid one, too.
  return [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14)) ? 'bmp' : undefined
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex')
}

function text(head: Buffer, start: number, end: number): string {
  return head.toString('latin1', start, end)
}

const tags = {
  kindOfPicture: 0x00fe,
  meaningOfPixels: 0x0106,
  make: 0x010f,
  furtherDirectories: 0x014a,
  dngVersion: 0xc612,
}

const REDUCED_PICTURE = 1
const COLOUR_FILTER_ARRAY = 32803
/** More than any camera writes; a limit for hostile files. */
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
 * Most RAW files are TIFF files whose first picture is a small preview. They are recognised by the first directory, which
 * cameras write at the beginning; if it is beyond the head, the file is an ordinary TIFF.
 */
function detectTiff(head: Buffer): ImageFormat | undefined {
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
  /** The value if it is a single number, otherwise the offset of the values. */
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
