import type { FileWindow } from './file-window.ts'
import { type Excess, kept, METADATA_TOO_DEEP, METADATA_TOO_LARGE, structureLimits } from './limits.ts'
import { measureXmlDepth } from './xml-depth.ts'

const XMP = 700
const PIECE_BYTES = 16 * 1024
/** More entries than any program writes into a directory; the format allows 65,535, and BigTIFF far more. */
const MOST_ENTRIES = 4_096

/** What differs between a TIFF and a BigTIFF, and between the two orders of bytes. */
interface Layout {
  firstDirectoryAt: number
  countBytes: number
  entryBytes: number
  offsetBytes: number
  number(bytes: Buffer, at: number, length: number): number
}

/** Walks the chain of directories, each of which is a page, and looks at the XMP of each. */
export async function inspectTiff(file: FileWindow): Promise<Excess> {
  const layout = layoutOf(Buffer.from(await file.bytes(0, 16)))
  if (!layout) return {}
  const { countBytes, entryBytes, offsetBytes, number } = layout
  const seen = new Set<number>()
  let metadataBytes = 0
  const xmp = measureXmlDepth()
  let metadata: string | undefined
  const excess = (picture?: string): Excess => ({ ...(picture ? { picture } : {}), ...(metadata ? { metadata } : {}) })

  let at = number(await file.bytes(layout.firstDirectoryAt, offsetBytes), 0, offsetBytes)
  // A chain that leads back to itself ends here as it does for decoders.
  while (at !== 0 && !seen.has(at)) {
    seen.add(at)
    if (seen.size > structureLimits.directories) return excess(kept(structureLimits.directories, 'pages'))
    const count = number(await file.bytes(at, countBytes), 0, countBytes)
    if (count > MOST_ENTRIES) return excess(kept(MOST_ENTRIES, 'fields'))
    for (let index = 0; index < count; index++) {
      const entry = await file.bytes(at + countBytes + index * entryBytes, entryBytes)
      if (entry.length < entryBytes) return excess()
      if (number(entry, 0, 2) !== XMP) continue
      const length = number(entry, 4, offsetBytes)
      const start = number(entry, 4 + offsetBytes, offsetBytes)
      metadataBytes += length
      if (metadataBytes > structureLimits.metadataBytes) metadata = METADATA_TOO_LARGE
      for (let read = 0; read < length && !metadata; ) {
        const piece = await file.bytes(start + read, Math.min(PIECE_BYTES, length - read))
        if (piece.length === 0) break
        xmp.read(piece)
        read += piece.length
        if (xmp.deepest > structureLimits.xmpDepth) metadata = METADATA_TOO_DEEP
      }
    }
    at = number(await file.bytes(at + countBytes + count * entryBytes, offsetBytes), 0, offsetBytes)
  }
  return excess()
}

function layoutOf(head: Buffer): Layout | undefined {
  if (head.length < 16) return undefined
  const little = head.toString('latin1', 0, 2) === 'II'
  const number = (bytes: Buffer, at: number, length: number) => {
    // A number that a cut-off file does not have ends every walk.
    if (at + length > bytes.length) return 0
    if (length < 8) return little ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length)
    const value = Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
    return Number.isSafeInteger(value) ? value : 0
  }
  const version = number(head, 2, 2)
  if (version === 43) return { firstDirectoryAt: 8, countBytes: 8, entryBytes: 20, offsetBytes: 8, number }
  return { firstDirectoryAt: 4, countBytes: 2, entryBytes: 12, offsetBytes: 4, number }
}
