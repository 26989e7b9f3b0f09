import { open } from 'node:fs/promises'
import type { Format } from '../formats.ts'
import { inspectAvif, inspectGif, inspectWebp } from './animations.ts'
import { type FileWindow, openWindow } from './file-window.ts'
import { inspectJpeg } from './jpeg.ts'
import { type Inspection, type LimitExceeded, tooComplex } from './limits.ts'
import { inspectPng } from './png.ts'
import { inspectTiff } from './tiff.ts'

/**
 * Of the other formats the decoders have limits of their own (libheif), or there is one picture (BMP); RAW files are
 * inspected as the JPEG that is taken out of them. For all of them the limits on time and memory hold.
 */
const inspectors: Partial<Record<Format, (file: FileWindow) => Promise<Inspection>>> = {
  jpeg: inspectJpeg,
  png: inspectPng,
  gif: inspectGif,
  webp: inspectWebp,
  avif: inspectAvif,
  tiff: inspectTiff,
}

/** Compares what a file consists of with the limits, without decoding it or holding more than a piece of it in memory. */
export async function inspectStructure(path: string, format: Format): Promise<LimitExceeded> {
  const { frames: _, ...excess } = await inspect(path, format)
  return excess
}

/** How many pictures a file shows one after the other; 1 for formats that do not move. */
export async function countFrames({ path, format }: { path: string; format: Format }): Promise<number> {
  return (await inspect(path, format)).frames ?? 1
}

async function inspect(path: string, format: Format): Promise<Inspection> {
  const inspector = inspectors[format]
  if (!inspector) return {}
  const file = await open(path)
  try {
    return await inspector(openWindow(file))
  } finally {
    await file.close()
  }
}

/** Whether the files of a format are inspected at all. */
export function hasInspection(format: Format): boolean {
  return format in inspectors
}

/** Whether the files of a format can move. */
export function hasFrames(format: Format): boolean {
  return format === 'gif' || format === 'webp' || format === 'png' || format === 'avif'
}

/** Why the metadata of a file is not read, if it is not. */
export async function inspectMetadata(file: {
  readonly path: string
  readonly format: Format
}): Promise<Pick<LimitExceeded, 'metadata'>> {
  const { metadata } = await inspectStructure(file.path, file.format)
  return metadata === undefined ? {} : { metadata }
}

/** Throws unless a decoder can be expected to be through with this picture in reasonable time. */
export async function refuseIfTooComplex(path: string, format: Format): Promise<void> {
  const { picture } = await inspectStructure(path, format)
  if (picture) throw tooComplex(picture)
}
