import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { unreadable } from '../errors.ts'
import type { ImageFormat } from '../formats.ts'
import { refuseIfTooComplex } from '../structure/inspect.ts'
import { describesRgb } from './colour.ts'
import { decodeHeic } from './decode-heic.ts'
import { decodeWithMagick, measureWithMagick } from './decode-with-magick.ts'
import { MOST_PIXELS, refuseIfTooLarge, type Size, turnedSize } from './pixels.ts'

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
  await refuseIfTooComplex(file.path, file.format)
  const input = await readableInput(file)
  const metadata = await readHeader(input)
  return {
    ...factsOf(file, metadata),
    metadata,
    open: options => sharp(input, { limitInputPixels: MOST_PIXELS, ...options }),
  }
}

/** What {@link openSource} tells, from the header alone. */
export async function measureSource(file: SourceFile): Promise<Pick<Source, 'size' | 'animated'>> {
  const { path, format } = file
  await refuseIfTooComplex(path, format)
  const header = format === 'jxl' || format === 'bmp' ? await measureWithMagick(path, format) : await readHeader(path)
  const { size, animated } = factsOf(file, header)
  return { size, animated }
}

function factsOf(file: SourceFile, header: Pick<Metadata, 'width' | 'height' | 'orientation' | 'pages'>) {
  const claimed = header.orientation ?? file.orientation ?? 1
  const orientation = claimed >= 1 && claimed <= 8 ? claimed : 1
  const animated = (file.format === 'gif' || file.format === 'webp') && (header.pages ?? 1) > 1
  return { orientation, animated, size: turnedSize(header, orientation) }
}

async function readableInput({ path, format }: SourceFile): Promise<string | Buffer> {
  if (format === 'jxl' || format === 'bmp') return decodeWithMagick(path, format)
  if (format !== 'heic') return path
  const { icc } = await readHeader(path)
  return decodeHeic(path, icc && describesRgb(icc) ? icc : undefined)
}

async function readHeader(input: string | Buffer): Promise<Metadata> {
  const metadata = await sharp(input, { limitInputPixels: false })
    .metadata()
    .catch(error => {
      throw unreadable(error)
    })
  refuseIfTooLarge(metadata)
  return metadata
}
