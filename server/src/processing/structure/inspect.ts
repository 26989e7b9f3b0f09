import { open } from 'node:fs/promises'
import type { Format } from '../formats.ts'
import { inspectGif, inspectWebp } from './animations.ts'
import { type FileWindow, openWindow } from './file-window.ts'
import { inspectJpeg } from './jpeg.ts'
import { type Excess, tooComplex } from './limits.ts'
import { inspectPng } from './png.ts'
import { inspectTiff } from './tiff.ts'

/**
 * Of the other formats the decoders have limits of their own (libheif), or there is one picture (BMP); RAW files are
 * inspected as the JPEG that is taken out of them. For all of them the limits on time and memory hold.
 */
const inspectors: Partial<Record<Format, (file: FileWindow) => Promise<Excess>>> = {
  jpeg: inspectJpeg,
  png: inspectPng,
  gif: inspectGif,
  webp: inspectWebp,
  tiff: inspectTiff,
}

/** Compares what a file consists of with the limits, without decoding it or holding more than a piece of it in memory. */
export async function inspectStructure(path: string, format: Format): Promise<Excess> {
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

/** Why the metadata of a file is not read, if it is not. */
export async function inspectMetadata(file: {
  readonly path: string
  readonly format: Format
}): Promise<Pick<Excess, 'metadata'>> {
  const { metadata } = await inspectStructure(file.path, file.format)
  return metadata === undefined ? {} : { metadata }
}

/** Throws unless a decoder can be expected to be through with this picture in reasonable time. */
export async function refuseIfTooComplex(path: string, format: Format): Promise<void> {
  const { picture } = await inspectStructure(path, format)
  if (picture) throw tooComplex(picture)
}
