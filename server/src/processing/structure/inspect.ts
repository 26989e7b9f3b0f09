import { open } from 'node:fs/promises'
import type { Format } from '../formats.ts'
import { countHeifFrames, countJxlFrames, inspectAvif, inspectGif, inspectWebp } from './animations.ts'
import { type FileWindow, openWindow } from './file-window.ts'
import { inspectJpeg, isPictureOnlyJpeg } from './jpeg.ts'
import { type Inspection, type LimitExceeded, tooComplex } from './limits.ts'
import { inspectPng, isPictureOnlyPng } from './png.ts'
import { inspectTiff } from './tiff.ts'

/**
 * Decoders of other formats have their own limits (libheif) or the format has only one picture (BMP); of RAW files the
 * embedded JPEG is inspected. The limits on time and memory apply to all.
 */
const inspectors: Partial<Record<Format, (file: FileWindow) => Promise<Inspection>>> = {
  jpeg: inspectJpeg,
  png: inspectPng,
  gif: inspectGif,
  webp: inspectWebp,
  avif: inspectAvif,
  tiff: inspectTiff,
}

/** Formats that can be animated and need no other inspection. */
const frameCounters: Partial<Record<Format, (file: FileWindow) => Promise<number>>> = {
  heic: countHeifFrames,
  jxl: countJxlFrames,
}

/** Compares the structure of a file with the limits, without decoding it and in constant memory. */
export async function inspectStructure(path: string, format: Format): Promise<LimitExceeded> {
  const { frames: _, ...excess } = await inspect(path, format)
  return excess
}

/** Number of frames (at least 2 for every animation); 1 for formats without animation. */
export async function countFrames({ path, format }: { path: string; format: Format }): Promise<number> {
  const counter = frameCounters[format]
  if (counter) return inWindow(path, counter)
  return (await inspect(path, format)).frames ?? 1
}

async function inspect(path: string, format: Format): Promise<Inspection> {
  const inspector = inspectors[format]
  return inspector ? inWindow(path, inspector) : {}
}

/** Whether a file has no metadata, comments, previews or other data beside its picture. */
export async function isPictureOnly(path: string, format: 'jpeg' | 'png'): Promise<boolean> {
  return inWindow(path, format === 'png' ? isPictureOnlyPng : isPictureOnlyJpeg)
}

async function inWindow<Result>(path: string, read: (file: FileWindow) => Promise<Result>): Promise<Result> {
  const file = await open(path)
  try {
    return await read(openWindow(file))
  } finally {
    await file.close()
  }
}

export function hasInspection(format: Format): boolean {
  return format in inspectors
}

/** Whether a format can be animated. */
export function hasFrames(format: Format): boolean {
  return format === 'gif' || format === 'webp' || format === 'png' || format === 'avif' || format in frameCounters
}

/** The reason if the metadata of a file must not be read. */
export async function inspectMetadata(file: {
  readonly path: string
  readonly format: Format
}): Promise<Pick<LimitExceeded, 'metadata'>> {
  const { metadata } = await inspectStructure(file.path, file.format)
  return metadata === undefined ? {} : { metadata }
}

/** Throws if decoding this picture could take unreasonably long. */
export async function refuseIfTooComplex(path: string, format: Format): Promise<void> {
  const { picture } = await inspectStructure(path, format)
  if (picture) throw tooComplex(picture)
}
