import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  ColorSpace,
  ColorType,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickImageInfo,
  MagickReadSettings,
} from '@imagemagick/magick-wasm'
import { animationLimits, DEFAULT_FRAME_MS } from '../animation.ts'
import { decodingFailure, ProcessingError, unreadable } from '../errors.ts'
import type { ImageFormat } from '../formats.ts'
import { tooComplex } from '../structure/limits.ts'
import { refuseIfTooLarge, type Size } from './pixels.ts'

const magickFormats = {
  jxl: MagickFormat.Jxl,
  bmp: MagickFormat.Bmp,
  tiff: MagickFormat.Tiff,
  jp2: MagickFormat.Jp2,
  j2k: MagickFormat.J2k,
  psd: MagickFormat.Psd,
  psb: MagickFormat.Psb,
}
type MagickReadable = keyof typeof magickFormats

/** Not TIFF, which sharp reads if it can. */
export function isReadByMagickAlone(format: ImageFormat): format is Exclude<MagickReadable, 'tiff'> {
  return format !== 'tiff' && Object.hasOwn(magickFormats, format)
}

let ready: Promise<void> | undefined

/** Decodes what sharp cannot to a TIFF in memory, with its colour profile and its orientation. */
export async function decodeWithMagick(path: string, format: MagickReadable): Promise<Buffer> {
  return withMagick(path, format, (file, settings) => {
    refuseIfTooLarge(MagickImageInfo.create(file, settings))
    return ImageMagick.read(file, settings, image => {
      // It takes an RGB TIFF with separate planes for grey.
      if (format === 'tiff' && image.colorSpace === ColorSpace.sRGB) {
        image.colorType = image.hasAlpha ? ColorType.TrueColorAlpha : ColorType.TrueColor
      }
      return toTiff(image)
    })
  })
}

interface DecodedFrame {
  /** As of {@link decodeWithMagick}. */
  readonly tiff: Buffer
  readonly index: number
  /** How many frames the animation has. */
  readonly count: number
  readonly durationMs: number
  /** How often the animation is played; 0: forever. */
  readonly loop: number
}

/** Decodes all frames of an animation, and passes them on one after the other. */
export async function decodeFramesWithMagick(
  path: string,
  format: MagickReadable,
  take: (frame: DecodedFrame) => Promise<void>,
): Promise<void> {
  await withMagick(path, format, (file, settings) => {
    const { width, height } = MagickImageInfo.create(file, settings)
    const mostFrames = Math.min(animationLimits.frames, Math.floor(animationLimits.decodedPixels / (width * height)))
    if (mostFrames < 2) throw tooComplex(TOO_LONG)
    // ImageMagick stops after as many frames, or one more.
    settings.frameCount = mostFrames + 1
    return ImageMagick.readCollection(file, settings, async images => {
      const count = images.length
      if (count > mostFrames) throw tooComplex(TOO_LONG)
      for (const [index, image] of images.entries()) {
        const { animationDelay, animationTicksPerSecond, animationIterations: loop } = image
        const durationMs = Math.round((1_000 * animationDelay) / animationTicksPerSecond) || DEFAULT_FRAME_MS
        await take({ tiff: toTiff(image), index, count, durationMs, loop })
      }
    })
  })
}

const TOO_LONG = 'This animation has too many or too large frames to be converted.'

function toTiff(image: IMagickImage): Buffer {
  // sharp cannot read a TIFF of 9, 10 or 12 bits, and this build of ImageMagick uses 8 internally.
  image.depth = 8
  return image.write(MagickFormat.Tiff, tiff => Buffer.from(tiff))
}

export async function measureWithMagick(path: string, format: MagickReadable): Promise<Size & { orientation: number }> {
  return withMagick(path, format, (file, settings) => {
    const { width, height, orientation } = MagickImageInfo.create(file, settings)
    refuseIfTooLarge({ width, height })
    return { width, height, orientation }
  })
}

async function withMagick<Result>(
  path: string,
  format: MagickReadable,
  act: (file: Buffer, settings: MagickReadSettings) => Result | Promise<Result>,
): Promise<Result> {
  ready ??= loadMagick()
  await ready
  const file = await readFile(path)
  if (format === 'psd' || format === 'psb') refusePhotoshopBomb(file)
  try {
    // Only the first picture: in a Photoshop file that is the merged image, without its layers.
    return await act(file, new MagickReadSettings({ format: magickFormats[format], frameIndex: 0, frameCount: 1 }))
  } catch (error) {
    throw error instanceof ProcessingError ? error : decodingFailure(error)
  }
}

/** 8 pixels per byte, times 64 for PackBits compression, times 2 for a file that is half missing. */
const MAX_PIXELS_PER_BYTE = 8 * 64 * 2

/**
 * ImageMagick allocates and fills all pixels before it reports the size: a file of 1 KB that claims 90,000 megapixels
 * would occupy a decoder until its timeout.
 */
function refusePhotoshopBomb(file: Buffer): void {
  if (file.length < 26) return
  const [height, width] = [file.readUInt32BE(14), file.readUInt32BE(18)]
  refuseIfTooLarge({ width, height })
  if (width * height > file.length * MAX_PIXELS_PER_BYTE) throw unreadable({ reason: 'it is too short for its size' })
}

async function loadMagick(): Promise<void> {
  const program = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')
  await initializeImageMagick(await readFile(program))
}
