import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { variants } from '#contract/limits.ts'
import { decodingFailure, ProcessingError } from '../errors.ts'
import { needsConversion } from './colour.ts'
import { applyOrientation, fitInside, fromPixels, isNearlyEmpty, type Pixels, toPixels } from './pixels.ts'
import { openSource, type Source, type SourceFile } from './source.ts'
import { toTiff } from './tiff.ts'

export type OutputFormat = 'jpeg' | 'png'

interface Decoded {
  readonly source: Source
  /** Upright, in sRGB, at most `maxSize` on the longer side. */
  readonly pixels: Pixels
  /** Part of the picture could not be decoded. */
  readonly damaged: boolean
}

const strict: SharpOptions = { failOn: 'error' }
/** Continues after any damage; the limits of the process still apply. */
const lenient: SharpOptions = { failOn: 'none', unlimited: true }

/** Decodes the readable part of a damaged file. */
export async function decode(file: SourceFile, family: OutputFormat, maxSize: number): Promise<Decoded> {
  try {
    return await decodeWith(strict, file, family, maxSize)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.failure !== 'unreadable' || failure === error) throw failure
    // Show what is left of a truncated photo, unless it is nearly nothing.
    const rest = await decodeWith(lenient, file, family, maxSize).catch(() => undefined)
    if (!rest || isNearlyEmpty(rest.pixels)) throw failure
    return rest
  }
}

/**
 * Whether part of a picture is lost. Decodes it at the smallest size, since a JPEG is scaled down while it is read. False
 * for unsupported formats, since these may be intact.
 */
export async function isPartlyDamaged(file: SourceFile): Promise<boolean> {
  const maxSize = variants.thumbnail.maxSize
  try {
    return (await decodeWith(strict, file, 'jpeg', maxSize)).damaged
  } catch (error) {
    const failure = failureOf(error)
    if (failure === error) throw failure
    if (failure.failure !== 'unreadable') return false
    const rest = await decodeWith(lenient, file, 'jpeg', maxSize).catch(() => undefined)
    return rest?.damaged ?? false
  }
}

function failureOf(error: unknown): ProcessingError {
  return error instanceof ProcessingError ? error : decodingFailure(error)
}

async function decodeWith(
  reading: SharpOptions,
  file: SourceFile,
  family: OutputFormat,
  maxSize: number,
): Promise<Decoded> {
  const source = await openSource(file, reading)
  const warnings: string[] = []
  const pixels = await decodeOnce(source, family, maxSize, warnings)
  const lostPixels = reading === strict ? warnings.some(reportsLostPixels) : !lacksOnlyEndMarker(warnings)
  return { source, pixels, damaged: source.damaged || lostPixels }
}

/** Its pixels, upright and in sRGB. */
export async function decodeOnce(
  { stored, profile, orientation, open }: Source,
  family: OutputFormat,
  maxSize: number,
  warnings: string[] = [],
): Promise<Pixels> {
  // Colour conversion and rotation come after scaling down, which is faster.
  const { width, height } = fitInside(stored, maxSize)
  const image = open({ ignoreIcc: profile !== undefined })
  image.on('warning', (warning: string) => warnings.push(warning))
  const pixels = await toPixels(flatten(image, family).resize(width, height, { fit: 'fill' }))
  const converts = profile !== undefined && needsConversion(profile)
  if (!converts && orientation === 1) return pixels
  const small = converts ? sharp(toTiff(pixels, profile)) : fromPixels(pixels)
  return toPixels(applyOrientation(small, orientation))
}

/** libjpeg only warns about corrupted data. Its other warnings are harmless, such as padding between segments. */
function reportsLostPixels(warning: string): boolean {
  return /Corrupt JPEG data: (premature end|bad Huffman code|bad arithmetic code|found marker)/.test(warning)
}

/** For a JPEG that lacks only its end marker this is the only warning; lost pixels cause others. */
function lacksOnlyEndMarker(warnings: readonly string[]): boolean {
  return warnings.includes('read gave 1 warnings') && warnings.some(text => /premature end of JPEG image/.test(text))
}

/** JPEG has no transparency, so it becomes white. */
export function flatten(image: Sharp, family: OutputFormat): Sharp {
  return family === 'jpeg' ? image.flatten({ background: 'white' }) : image
}
