import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { ProcessingError, unreadable } from '../errors.ts'
import type { ImageFormat } from '../formats.ts'
import { decodeHeic } from './decode-heic.ts'
import { decodeWithMagick } from './decode-with-magick.ts'
import { type Size, turnedSize } from './pixels.ts'

/**
 * The largest picture that is opened: 268 million pixels. The 100 and 200 megapixels of phones and panoramas are well
 * within; what goes beyond is far more often a bomb than a photo, and would need gigabytes to unfold.
 */
export const MOST_PIXELS = 0x3fff * 0x3fff

// Photos only: no drawings, documents or other loaders that a file could lead to by its inner bytes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map(loader => `VipsForeignLoad${loader}`) })
// A process decodes one picture at a time and the pool runs several: threads would only get in each other's way.
sharp.concurrency(1)
sharp.cache(false)

export interface SourceFile {
  readonly path: string
  readonly format: ImageFormat
  /** How to turn a picture that does not say itself: a RAW file knows it of its preview. */
  readonly orientation?: number | undefined
}

/** A picture that sharp can read, whatever it came as. */
export interface Source {
  /** As it will be seen, upright. */
  readonly size: Size
  readonly animated: boolean
  readonly metadata: Metadata
  readonly orientation: number
  /** Opens it anew for one pass over its pixels, which lie as they are stored. */
  open(options?: SharpOptions): Sharp
}

export async function openSource(file: SourceFile): Promise<Source> {
  const input = await readableInput(file)
  const metadata = await readHeader(input)
  return {
    ...factsOf(file, metadata),
    metadata,
    open: options => sharp(input, { limitInputPixels: MOST_PIXELS, ...options }),
  }
}

/** What {@link openSource} tells, from the header alone where the format allows. */
export async function measureSource(file: SourceFile): Promise<Pick<Source, 'size' | 'animated'>> {
  const headerIsEnough = file.format !== 'jxl' && file.format !== 'bmp'
  const { size, animated } = factsOf(file, await readHeader(headerIsEnough ? file.path : await readableInput(file)))
  return { size, animated }
}

function factsOf(file: SourceFile, metadata: Metadata) {
  const orientation = metadata.orientation ?? file.orientation ?? 1
  const animated = (file.format === 'gif' || file.format === 'webp') && (metadata.pages ?? 1) > 1
  return { orientation, animated, size: turnedSize(metadata, orientation) }
}

async function readableInput({ path, format }: SourceFile): Promise<string | Buffer> {
  if (format === 'heic') return decodeHeic(path, (await readHeader(path)).icc)
  if (format === 'jxl' || format === 'bmp') return decodeWithMagick(path, format)
  return path
}

async function readHeader(input: string | Buffer): Promise<Metadata> {
  const metadata = await sharp(input, { limitInputPixels: false })
    .metadata()
    .catch(error => {
      throw unreadable(error)
    })
  const { width, height } = metadata
  if (width * height > MOST_PIXELS) {
    const most = Math.floor(MOST_PIXELS / 1_000_000)
    throw new ProcessingError(
      'too_large',
      `This picture has ${width} × ${height} pixels. Pictures of more than ${most} megapixels are kept, but not shown.`,
    )
  }
  return metadata
}
