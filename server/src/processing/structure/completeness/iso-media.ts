import { BOX_HEADER_BYTES, type Box, parseBoxHeader, SMALLEST_BOX_BYTES } from '#contract/iso-boxes.ts'
import { boxesIn, type HeaderBudget } from '../file-window.ts'
import { endOfItems, endOfSegments, endOfTracks } from './iso-tables.ts'
import { endIsMissing, type MissingEnd, missingUpTo, type SizedFile } from './missing-end.ts'

/** Fragments of a video are two boxes each. Beyond this many, nothing is said about the file. */
const MAX_TOP_BOXES = 10_000
/** Of all tables together. */
const MAX_HEADERS = 5_000

/** Boxes at the top level of the formats below. Anything else at the end of a file is data of another kind. */
const topLevel = new Set([
  ...['ftyp', 'styp', 'moov', 'mdat', 'moof', 'mfra', 'sidx', 'ssix', 'prft', 'emsg', 'meta', 'mini', 'idat', 'udta'],
  ...['free', 'skip', 'wide', 'uuid', 'pnot', 'PICT', 'mpvd', 'sefd', 'junk', 'pdin', 'bloc'],
  ...['jP  ', 'jp2h', 'jp2c', 'jp2i', 'JXL ', 'jxlc', 'jxlp', 'jxll', 'jxli', 'jbrd', 'jhgm', 'brob', 'Exif', 'xml '],
])

/** The end of what the tables of a file refer to, and which boxes it has. */
interface Contents {
  /** Undefined if no table was found. */
  tablesEnd: number | undefined
  types: Set<string>
  /** The first box that is longer than the file. */
  truncated: Box | undefined
  /** Tables describe only the beginning of a fragmented file. */
  fragmented: boolean
  /** The last part of a codestream in several boxes was found. */
  lastPart: boolean
}

export type IsoKind = 'video' | 'still' | 'jxl' | 'jp2'

/**
 * MP4, QuickTime, HEIF, AVIF, CR3, JPEG XL and JPEG 2000: the boxes, and what the tables in them refer to, must lie
 * within the file. Offsets count from `start`, where a clip is appended to a photo.
 */
export async function missingEndOfIsoMedia(
  file: SizedFile,
  kind: IsoKind,
  start = 0,
): Promise<{ missing: MissingEnd | undefined; trailing: number }> {
  const found: Contents = {
    tablesEnd: undefined,
    types: new Set(),
    truncated: undefined,
    fragmented: false,
    lastPart: false,
  }
  const budget = { headers: MAX_HEADERS }
  let at = start
  for (let boxes = 0; at + SMALLEST_BOX_BYTES <= file.size; boxes++) {
    if (boxes >= MAX_TOP_BOXES) return { missing: undefined, trailing: file.size }
    const box = parseBoxHeader(await file.bytes(at, BOX_HEADER_BYTES), at, file.size)
    if (!box || !topLevel.has(box.type)) break
    if (box.type === 'ftyp' && found.types.has('ftyp')) {
      // Nothing follows an appended clip: a hostile file would be a hundred thousand files in each other.
      if (start > 0) break
      // A clip that a phone has appended to the picture.
      const clip = await missingEndOfIsoMedia(file, 'video', at)
      return { ...clip, missing: judge(file, kind, found) ?? clip.missing }
    }
    found.types.add(box.type)
    if (!box.complete) found.truncated = box
    else await readTables(file, kind, box, start, found, budget)
    at = box.end
  }
  return { missing: judge(file, kind, found), trailing: at }
}

async function readTables(
  file: SizedFile,
  kind: IsoKind,
  box: Box,
  base: number,
  found: Contents,
  budget: HeaderBudget,
): Promise<void> {
  const add = (end: number | undefined) => {
    if (end !== undefined) found.tablesEnd = Math.max(found.tablesEnd ?? 0, end)
  }
  if (box.type === 'moov') {
    const tracks = await endOfTracks(file, box, base, budget)
    found.fragmented ||= tracks.fragmented
    add(tracks.end)
  } else if (box.type === 'moof') found.fragmented = true
  else if (box.type === 'sidx') add(await endOfSegments(file, box))
  else if (box.type === 'meta' && kind === 'still') {
    // Version and flags come before the boxes inside.
    for await (const inner of boxesIn(file, box.start + 4, box.end, budget)) {
      if (inner.type === 'iloc') add(await endOfItems(file, inner, base))
    }
  } else if (box.type === 'jxlp') {
    const number = await file.bytes(box.start, 4)
    if (number.length === 4 && number.readUInt32BE(0) >= 0x80000000) found.lastPart = true
  }
}

const dataBoxes = new Set(['mdat', 'mpvd', 'jxlc', 'jp2c'])

const needed: Record<IsoKind, (found: Contents) => boolean> = {
  video: ({ types }) => types.has('moov'),
  still: ({ types }) => types.has('meta') || types.has('mini') || types.has('moov'),
  jxl: ({ types, lastPart }) => types.has('jxlc') || lastPart,
  jp2: ({ types }) => types.has('jp2c'),
}

function judge(file: SizedFile, kind: IsoKind, found: Contents): MissingEnd | undefined {
  const { tablesEnd, truncated, fragmented } = found
  if (truncated) {
    // Some cameras state a wrong length of the data. Where all of it is described, the description decides.
    const isDescribed = truncated.type === 'mdat' && tablesEnd !== undefined && !fragmented && needed[kind](found)
    if (isDescribed && tablesEnd <= file.size) return undefined
    // Before the data, a box does not tell how much follows it.
    if (![...found.types].some(type => dataBoxes.has(type))) return endIsMissing
    return missingUpTo(Math.max(truncated.offset + truncated.length, tablesEnd ?? 0), file)
  }
  if (tablesEnd !== undefined && tablesEnd > file.size) return missingUpTo(tablesEnd, file)
  // What is needed to read the rest is often at the end.
  return needed[kind](found) ? undefined : endIsMissing
}
