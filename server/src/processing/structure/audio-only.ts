import { type FileHandle, open } from 'node:fs/promises'
import type { Box } from '#contract/iso-boxes.ts'
import { audioBrands, HEAD_BYTES } from '../detect-format.ts'
import type { Format } from '../formats.ts'
import { boxesIn, type FileWindow, type HeaderBudget, openWindow } from './file-window.ts'

/** Limit for hostile files, since a request waits for the result. */
const MAX_HEADERS = 2_000

/**
 * Whether a file of this detected format has audio and no picture. Reads only track headers, so it takes milliseconds.
 * False when in doubt: the job that prepares the file will find out.
 */
export async function isAudioOnly(path: string, format: Format | undefined): Promise<boolean> {
  await using file = await open(path)
  return await isAudioOnlyHandle(file, format)
}

/** The same for a file that is already open. */
export async function isAudioOnlyHandle(file: FileHandle, format: Format | undefined): Promise<boolean> {
  const window = openWindow(file)
  const { size } = await file.stat()
  switch (format) {
    case undefined:
      return isAudioFormat(await window.bytes(0, HEAD_BYTES))
    case 'mp4':
    case 'm4v':
    case 'mov':
    case '3gp':
    case '3g2':
      return areAudioTracks(await isoTracks(window, size))
    case 'mkv':
    case 'webm':
      return areAudioTracks(await matroskaTracks(window, size))
    case 'avi':
      return areAudioTracks(await aviTracks(window, size))
    default:
      return false
  }
}

type Track = 'picture' | 'sound' | 'other'

/** `tracks` is undefined if not all of them were found. */
function areAudioTracks(tracks: Track[] | undefined): boolean {
  return tracks?.includes('sound') === true && !tracks.includes('picture')
}

/** Audio formats, and containers whose header shows that they contain only audio. */
function isAudioFormat(head: Buffer): boolean {
  const starts = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text
  if (starts('ftyp', 4)) return audioBrands.has(head.toString('latin1', 8, 12))
  if (starts('OggS'))
    return ['\x01vorbis', 'OpusHead', 'Speex   ', '\x7fFLAC'].some(codec => head.includes(codec, 0, 'latin1'))
  if (starts('FORM')) return starts('AIFF', 8) || starts('AIFC', 8)
  if (starts('RIFF')) return starts('WAVE', 8)
  if (starts('\x30\x26\xb2\x75\x8e\x66\xcf\x11')) return head.includes(ASF_SOUND)
  return ['ID3', 'fLaC', 'caff', '#!AMR', 'FLV\x01\x04'].some(start => starts(start)) || isMp3(head)
}

const ASF_SOUND = Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex')

/** Two bytes are a weak signature, so a second frame must follow where the first one ends. */
function isMp3(head: Buffer): boolean {
  const frameBytes = (at: number) => {
    const isFrame = head[at] === 0xff && ((head[at + 1] ?? 0) & 0xfe) === 0xfa
    const kilobits = MP3_KILOBITS[(head[at + 2] ?? 0) >> 4] ?? 0
    const hertz = [44_100, 48_000, 32_000][((head[at + 2] ?? 0) >> 2) & 3] ?? 0
    if (!isFrame || kilobits === 0 || hertz === 0) return 0
    return Math.floor((144_000 * kilobits) / hertz) + (((head[at + 2] ?? 0) >> 1) & 1)
  }
  const first = frameBytes(0)
  return first > 0 && frameBytes(first) > 0
}

const MP3_KILOBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]

interface Extent {
  readonly start: number
  readonly end: number
}

async function isoTracks(window: FileWindow, size: number): Promise<Track[] | undefined> {
  const budget = { headers: MAX_HEADERS }
  const tracks: Track[] = []
  const film = await firstBox(window, { start: 0, end: size }, budget, 'moov')
  if (!film) return undefined
  for await (const track of boxesIn(window, film.start, film.end, budget)) {
    const media = track.type === 'trak' ? await firstBox(window, track, budget, 'mdia') : undefined
    const handler = media && (await firstBox(window, media, budget, 'hdlr'))
    if (!handler) continue
    // Version and flags, then in QuickTime the kind of handler, then the kind of media.
    const kind = (await window.bytes(handler.start + 8, 4)).toString('latin1')
    tracks.push(isoKinds[kind] ?? 'picture')
  }
  return budget.headers > 0 ? tracks : undefined
}

async function firstBox(
  window: FileWindow,
  { start, end }: Extent,
  budget: HeaderBudget,
  type: string,
): Promise<Box | undefined> {
  for await (const box of boxesIn(window, start, end, budget)) if (box.type === type) return box
  return undefined
}

/** Unknown types count as pictures. */
const isoKinds: Record<string, Track> = {
  soun: 'sound',
  ...Object.fromEntries(['text', 'sbtl', 'subt', 'clcp', 'meta', 'mdta', 'tmcd', 'hint'].map(kind => [kind, 'other'])),
}

/** Each stream has its header in a separate list, followed by an index that can be long. */
async function aviTracks(window: FileWindow, size: number): Promise<Track[] | undefined> {
  const tracks: Track[] = []
  let left = MAX_HEADERS
  /** False if not all of it could be read. */
  const walk = async ({ start, end }: Extent): Promise<boolean> => {
    if (end > size) return false
    let at = start
    while (at + 8 <= end) {
      if (left-- <= 0) return false
      const header = Buffer.from(await window.bytes(at, 12))
      if (header.length < 12) return false
      const chunk = { start: at + 8, end: at + 8 + header.readUInt32LE(4) }
      if (chunk.end > end) return false
      const [type, kind] = [header.toString('latin1', 0, 4), header.toString('latin1', 8, 12)]
      if (type === 'strh') tracks.push(aviKinds[kind] ?? 'picture')
      if (type === 'LIST' && kind === 'strl' && !(await walk({ start: at + 12, end: chunk.end }))) return false
      at = chunk.end + (chunk.end % 2)
    }
    return true
  }
  const list = await window.bytes(12, 12)
  const isStreams = list.toString('latin1', 0, 4) === 'LIST' && list.toString('latin1', 8, 12) === 'hdrl'
  if (!isStreams) return undefined
  return (await walk({ start: 24, end: 20 + list.readUInt32LE(4) })) ? tracks : undefined
}

/** Unknown types count as pictures, such as `iavs`: DV with interleaved audio. */
const aviKinds: Record<string, Track> = { auds: 'sound', txts: 'other', mids: 'other' }

export const EBML = 0x1a45dfa3
export const [SEGMENT, CLUSTER] = [0x18538067, 0x1f43b675]
const [TRACKS, TRACK_ENTRY, TRACK_TYPE] = [0x1654ae6b, 0xae, 0x83]
const [MATROSKA_PICTURE, MATROSKA_SOUND] = [1, 2]

interface Element extends Extent {
  readonly id: number
}

/** Undefined if the list of tracks does not come before the data. */
async function matroskaTracks(window: FileWindow, size: number): Promise<Track[] | undefined> {
  let tracks: Track[] | undefined
  let left = MAX_HEADERS
  const walk = async ({ start, end }: Extent): Promise<void> => {
    for (let at = start; at < end && left-- > 0; ) {
      const element = elementAt(await window.bytes(at, 12), at, end)
      if (!element || element.id === CLUSTER) return
      if (element.id === TRACKS) tracks ??= []
      if (element.id === TRACK_TYPE) {
        const kind = (await window.bytes(element.start, 1))[0]
        tracks?.push(kind === MATROSKA_PICTURE ? 'picture' : kind === MATROSKA_SOUND ? 'sound' : 'other')
      }
      if ([SEGMENT, TRACKS, TRACK_ENTRY].includes(element.id)) await walk(element)
      if (element.id === TRACKS) return
      at = element.end
    }
  }
  const header = elementAt(await window.bytes(0, 12), 0, size)
  if (header?.id !== EBML) return undefined
  await walk({ start: header.end, end: size })
  return left > 0 ? tracks : undefined
}

/** EBML id and length, both of variable size; a length of all ones means unknown. */
export function elementAt(bytes: Buffer, at: number, end: number): Element | undefined {
  const idBytes = Math.clz32(bytes[0] ?? 0) - 23
  const first = bytes[idBytes] ?? 0
  const lengthBytes = Math.clz32(first) - 23
  if (idBytes > 4 || lengthBytes > 8 || bytes.length < idBytes + lengthBytes) return undefined
  const id = bytes.readUIntBE(0, idBytes)
  let length = first & (0xff >> lengthBytes)
  let unknown = length === 0xff >> lengthBytes
  for (const byte of bytes.subarray(idBytes + 1, idBytes + lengthBytes)) {
    length = length * 256 + byte
    unknown &&= byte === 0xff
  }
  const start = at + idBytes + lengthBytes
  return { id, start, end: unknown ? end : Math.min(start + length, end) }
}
