import { ProcessingError } from '../errors.ts'

/**
 * Limits for the structure of pictures: far beyond what cameras and editors write, but decodable in seconds. Checked
 * before decoding.
 */
export const structureLimits = {
  /** Encoders write about 10 scans into a progressive JPEG, and optimisers up to 64. */
  jpegScans: 200,
  /** Segments of a JPEG and chunks of a PNG that are not pixels. 13 MB of maker notes are 200 segments. */
  segments: 10_000,
  /** A ten-minute GIF at 15 frames per second has 9,000. */
  frames: 10_000,
  /** Sub-blocks of a GIF, of up to 255 bytes each: 1 GB of pixels. */
  gifSubBlocks: 4_000_000,
  /** Chunks of a PNG that are pixels. Encoders write 8 KB into each, or all into one. */
  pixelChunks: 200_000,
  /** Pages of a TIFF: a scanned book. */
  directories: 1_000,
  /** Fields of all pages of a TIFF together. Programs write about 20 for a page. */
  fields: 100_000,
  /** Size of the decompressed metadata. A depth map in XMP can take several MB. */
  metadataBytes: 16 * 1024 * 1024,
} as const

/** Which limits a file exceeds, as sentences. */
export interface LimitExceeded {
  /** Why its pixels are not decoded. */
  readonly picture?: string
  /** Why its metadata is not read. */
  readonly metadata?: string
}

export interface Inspection extends LimitExceeded {
  /** Number of frames, as far as they were counted. */
  readonly frames?: number
}

export function tooComplex(sentence: string): ProcessingError {
  return new ProcessingError('too_complex', sentence)
}

/** A sentence such as "This picture consists of more than 200 scans. …" */
export function tooManyMessage(limit: number, what: string): string {
  return `This picture consists of more than ${limit.toLocaleString('en')} ${what}. Pictures this complex are kept, but not shown.`
}

export const METADATA_TOO_LARGE = `Metadata of more than ${structureLimits.metadataBytes / 1024 / 1024} MB is not read.`
export const METADATA_REPEATED = 'Metadata that a page of a TIFF holds more than once is not read.'
