import type { FileWindow } from './file-window.ts'
import { type LimitExceeded, METADATA_REPEATED, METADATA_TOO_LARGE, structureLimits, tooManyMessage } from './limits.ts'

const XMP = 700
/** More entries than any program writes into a directory; the format allows 65,535, and BigTIFF far more. */
export const MAX_ENTRIES = 4_096
/** Entries are read in batches of at most 20 KB. */
const ENTRIES_AT_ONCE = 1_024

/** Differences between TIFF and BigTIFF, and between the byte orders. */
export interface Layout {
  firstDirectoryAt: number
  countBytes: number
  entryBytes: number
  offsetBytes: number
  number(bytes: Buffer, at: number, length: number): number
}

interface Directory {
  /** The lengths of all XMP fields of this page. */
  xmp: number[]
  /** Offset of the next page; 0 after the last one or in a truncated file. */
  next: number
}

/** Walks the directories, each of which is a page, and measures their XMP. */
export async function inspectTiff(file: FileWindow): Promise<LimitExceeded> {
  const layout = layoutOf(Buffer.from(await file.bytes(0, 16)))
  if (!layout) return {}
  const { countBytes, offsetBytes, number } = layout
  const seen = new Set<number>()
  let [metadataBytes, fields] = [0, 0]
  let metadata: string | undefined
  const excess = (picture?: string): LimitExceeded => ({
    ...(picture ? { picture } : {}),
    ...(metadata ? { metadata } : {}),
  })

  let at = number(await file.bytes(layout.firstDirectoryAt, offsetBytes), 0, offsetBytes)
  // A cycle ends the walk, as it does in decoders.
  while (at !== 0 && !seen.has(at)) {
    seen.add(at)
    if (seen.size > structureLimits.directories) return excess(tooManyMessage(structureLimits.directories, 'pages'))
    const count = number(await file.bytes(at, countBytes), 0, countBytes)
    fields += count
    if (count > MAX_ENTRIES) return excess(tooManyMessage(MAX_ENTRIES, 'fields'))
    if (fields > structureLimits.fields) return excess(tooManyMessage(structureLimits.fields, 'fields'))
    const directory = await readDirectory(file, layout, at + countBytes, count)
    const [first, second] = directory.xmp
    if (second !== undefined) metadata ??= METADATA_REPEATED
    metadataBytes += first ?? 0
    if (metadataBytes > structureLimits.metadataBytes) metadata ??= METADATA_TOO_LARGE
    at = directory.next
  }
  return excess()
}

async function readDirectory(file: FileWindow, layout: Layout, from: number, count: number): Promise<Directory> {
  const { entryBytes, offsetBytes, number } = layout
  const xmp: Directory['xmp'] = []
  for (let index = 0; index < count; index += ENTRIES_AT_ONCE) {
    const wanted = Math.min(ENTRIES_AT_ONCE, count - index) * entryBytes
    const entries = await file.bytes(from + index * entryBytes, wanted)
    for (let at = 0; at + entryBytes <= entries.length; at += entryBytes) {
      if (number(entries, at, 2) !== XMP) continue
      xmp.push(number(entries, at + 4, offsetBytes))
    }
    if (entries.length < wanted) return { xmp, next: 0 }
  }
  const next = number(await file.bytes(from + count * entryBytes, offsetBytes), 0, offsetBytes)
  return { xmp, next }
}

export function layoutOf(head: Buffer): Layout | undefined {
  if (head.length < 16) return undefined
  const little = head.toString('latin1', 0, 2) === 'II'
  const number = (bytes: Buffer, at: number, length: number) => {
    // 0 for numbers beyond the end of a truncated file, which ends all loops.
    if (at + length > bytes.length) return 0
    if (length < 8) return little ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length)
    const value = Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
    return Number.isSafeInteger(value) ? value : 0
  }
  const version = number(head, 2, 2)
  if (version === 43) return { firstDirectoryAt: 8, countBytes: 8, entryBytes: 20, offsetBytes: 8, number }
  return { firstDirectoryAt: 4, countBytes: 2, entryBytes: 12, offsetBytes: 4, number }
}
