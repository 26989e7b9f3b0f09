import ExifReader, { type ExpandedTags } from 'exifreader'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { metadataFromTags } from './metadata-from-tags.ts'

const CHUNK_BYTES = 65_536
const MOST_CHUNKS = 5
/** A block that is said to lie further in than this is not worth the memory before it. */
const FURTHEST_BYTES = 64 * 1024 * 1024

/** Reads no more of a file than it must, and never throws for what is in it: an odd file has no metadata. */
export async function readMetadata(file: Blob): Promise<PhotoMetadata> {
  const pieces = new Map<number, Uint8Array>()
  let tags: ExpandedTags = {}
  while (pieces.size < MOST_CHUNKS) {
    const next = nextChunk(tags, pieces, Math.min(file.size, FURTHEST_BYTES))
    if (next === undefined) break
    const piece = file.slice(next * CHUNK_BYTES, (next + 1) * CHUNK_BYTES)
    pieces.set(next, new Uint8Array(await piece.arrayBuffer()))
    tags = tagsOf(assemble(pieces))
  }
  return metadataFromTags(tags)
}

/** Cameras write what they know near the beginning; a HEIC file may say there that it lies further in. */
function nextChunk(tags: ExpandedTags, read: Map<number, Uint8Array>, size: number): number | undefined {
  const { metadataRange } = tags
  if (metadataRange?.complete && !mayFollow(tags)) return undefined
  const isMissing = (chunk: number) => !read.has(chunk) && chunk * CHUNK_BYTES < size
  for (const { start, end } of metadataRange?.blocks ?? []) {
    for (let chunk = Math.floor(start / CHUNK_BYTES); chunk * CHUNK_BYTES < end; chunk++) {
      if (isMissing(chunk)) return chunk
    }
  }
  let following = 0
  while (read.has(following)) following++
  return isMissing(following) ? following : undefined
}

/** WebP is the one format that says all there is to say behind the picture. */
function mayFollow({ exif, file }: ExpandedTags): boolean {
  return file?.FileType?.value === 'webp' && exif === undefined
}

/** The file as far as it was read, with nothing where it was not. */
function assemble(pieces: Map<number, Uint8Array>): ArrayBuffer {
  const ends = [...pieces].map(([chunk, piece]) => chunk * CHUNK_BYTES + piece.length)
  const whole = new Uint8Array(Math.max(...ends))
  for (const [chunk, piece] of pieces) whole.set(piece, chunk * CHUNK_BYTES)
  return whole.buffer
}

/** XMP needs a parser that no worker has; what only it says is read by the server. */
const options = { expanded: true, computed: true, includeOffsets: true, excludeTags: { mpf: true, xmp: true } } as const

function tagsOf(head: ArrayBuffer): ExpandedTags {
  try {
    return ExifReader.load(head, options)
  } catch {
    // No picture, or one cut off in the middle of what describes it: then more of it will tell.
    return {}
  }
}
