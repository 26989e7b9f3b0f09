import { open } from 'node:fs/promises'
import type { Format } from '../../formats.ts'
import { hasSamsungTrailer, isSamsungBlock } from '../embedded-clip.ts'
import { type FileWindow, openWindow } from '../file-window.ts'
import {
  missingEndOfAvi,
  missingEndOfBmp,
  missingEndOfGif,
  missingEndOfPng,
  missingEndOfPsd,
  missingEndOfWebp,
} from './chunks.ts'
import { type IsoKind, missingEndOfIsoMedia } from './iso-media.ts'
import { missingEndOfJpeg } from './jpeg.ts'
import { endIsMissing, type MissingEnd, type SizedFile } from './missing-end.ts'
import { missingEndOfCrw, missingEndOfMrw, missingEndOfRaf, missingEndOfX3f } from './raw.ts'
import { missingEndOfAsf, missingEndOfJpeg2000, missingEndOfMatroska, missingEndOfOgg } from './streams.ts'
import { missingEndOfTiff } from './tiff.ts'

/** Tables of a long film have thousands of entries. Where a file needs more reads than this, nothing is said. */
const MAX_READS = 500_000

/** The headers of all formats are longer. */
const SHORTEST_HEADER = 16

type Check = (file: SizedFile) => Promise<MissingEnd | undefined>

/**
 * Compares the length that a file's own structure promises with the length that it has. Reads headers and tables, so it
 * takes milliseconds and constant memory also for hostile files, and a request can wait for it. Undefined for a whole
 * file, and when in doubt.
 */
export async function findMissingEnd(path: string, format: Format): Promise<MissingEnd | undefined> {
  await using file = await open(path)
  const { size } = await file.stat()
  return await findMissingEndIn(openWindow(file), size, format)
}

/** The same for a file that is somewhere else. */
export async function findMissingEndIn(
  window: FileWindow,
  size: number,
  format: Format,
): Promise<MissingEnd | undefined> {
  if (size < SHORTEST_HEADER) return endIsMissing
  try {
    return await checks[format]?.({ ...withBudget(window), size })
  } catch (error) {
    if (error instanceof InDoubt) return undefined
    throw error
  }
}

class InDoubt extends Error {}

/** A hostile file can have a header every few bytes, and offsets that are no positions in any file. */
function withBudget(window: FileWindow): FileWindow {
  let reads = 0
  const check = (offset: number) => {
    if (++reads > MAX_READS || !Number.isSafeInteger(offset)) throw new InDoubt()
  }
  return {
    bytes(offset, length) {
      check(offset)
      return window.bytes(offset, length)
    },
    rest(offset) {
      check(offset)
      return window.rest(offset)
    },
  }
}

const iso =
  (kind: IsoKind): Check =>
  async file =>
    (await missingEndOfIsoMedia(file, kind)).missing
const video = iso('video')
const tiff: Check = file => missingEndOfTiff(file, 'tiff')
const raw: Check = file => missingEndOfTiff(file, 'raw')

/** Samsung appends its trailer also to a HEIC. */
const heif: Check = async file => {
  const { missing, trailing } = await missingEndOfIsoMedia(file, 'still')
  if (missing || trailing >= file.size) return missing
  const isCut =
    isSamsungBlock(Buffer.from(await file.bytes(trailing, 64))) && !(await hasSamsungTrailer(file, file.size))
  return isCut ? endIsMissing : undefined
}

/** A codestream without a container does not state its length; decoding shows whether it is whole. */
const jxl: Check = async file => {
  const [first] = await file.bytes(0, 1)
  return first === 0xff ? undefined : iso('jxl')(file)
}

/** Without an entry: streams, which may end anywhere (MTS, MPEG, DV, FLV). */
const checks: Partial<Record<Format, Check>> = {
  jpeg: missingEndOfJpeg,
  png: missingEndOfPng,
  webp: missingEndOfWebp,
  gif: missingEndOfGif,
  bmp: missingEndOfBmp,
  psd: missingEndOfPsd,
  psb: missingEndOfPsd,
  heic: heif,
  avif: heif,
  jxl,
  jp2: iso('jp2'),
  j2k: missingEndOfJpeg2000,
  tiff,
  dng: raw,
  cr2: raw,
  nef: raw,
  arw: raw,
  orf: raw,
  pef: raw,
  srw: raw,
  erf: raw,
  dcr: raw,
  hasselblad: raw,
  rw2: file => missingEndOfTiff(file, 'rw2'),
  cr3: video,
  crw: missingEndOfCrw,
  raf: missingEndOfRaf,
  x3f: missingEndOfX3f,
  mrw: missingEndOfMrw,
  mp4: video,
  m4v: video,
  mov: video,
  '3gp': video,
  '3g2': video,
  mkv: missingEndOfMatroska,
  webm: missingEndOfMatroska,
  avi: missingEndOfAvi,
  wmv: missingEndOfAsf,
  ogg: missingEndOfOgg,
}
