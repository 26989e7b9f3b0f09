import { readFile } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { HDR_HEAD_BYTES, type HdrColours, hdrColoursOf } from '#contract/hdr-still.ts'
import type { Rotation } from '#contract/media.ts'
import { isMinimised } from '../detect-format.ts'
import { decodingFailure, unsupported } from '../errors.ts'
import type { ImageFormat } from '../formats.ts'
import { readHead } from '../structure/file-window.ts'
import { refuseIfTooComplex } from '../structure/inspect.ts'
import { describesRgb } from './colour.ts'
import { isMisreadTiff, labTiffToSrgb, toSrgbTiff } from './convert-colours.ts'
import { decodeHeic, measureHeic } from './decode-heic.ts'
import { decodeWithMagick, isReadByMagickAlone, measureWithMagick } from './decode-with-magick.ts'

import {
  MAX_PIXELS,
  MAX_PIXELS_BY_ROW,
  orientedSize,
  refuseIfTooLarge,
  rotateOrientation,
  type Size,
} from './pixels.ts'

// Block all other loaders (SVG, PDF, …), which a file could select by its content.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map(loader => `VipsForeignLoad${loader}`) })
// No threads: the pool already runs one process per core.
sharp.concurrency(1)
sharp.cache(false)

export interface SourceFile {
  readonly path: string
  readonly format: ImageFormat
  /** EXIF orientation if the picture has none itself, as for the preview of a RAW file. */
  readonly orientation?: number | undefined
  /** Further rotation, clockwise in degrees. */
  readonly rotation?: Rotation | undefined
}

export interface ImageFacts {
  /** After rotation. */
  readonly size: Size
  /** Browsers show HDR differently, and most of them too pale. */
  readonly hdr: boolean
}

/** An opened picture of any format. */
export interface Source extends ImageFacts {
  readonly metadata: Metadata
  /** The size before the orientation is applied. */
  readonly stored: Size
  readonly orientation: number
  /** ICC profile of RGB pixels that are not yet converted. */
  readonly profile: Buffer | undefined
  /** Part of it could not be decoded, as far as that is known before the pixels are read. */
  readonly damaged: boolean
  /** Opens it for one pass over the pixels, not yet oriented. */
  open(options?: SharpOptions): Sharp
}

export async function openSource(file: SourceFile, reading: SharpOptions = {}): Promise<Source> {
  await refuseIfTooComplex(file.path, file.format)
  await refuseIfMinimised(file)
  const hdr = await readHdrColours(file)
  const heic = file.format === 'heic' ? await decodeHeic(file.path, hdr) : undefined
  if (heic)
    return { ...(await openInput(file, heic.tiff, undefined, reading)), damaged: heic.damaged, hdr: hdr !== undefined }
  return openInput(file, await readableInput(file, reading), hdr, reading)
}

/** Opens a picture in a format that sharp reads. */
export async function openInput(
  file: Pick<SourceFile, 'orientation' | 'rotation'>,
  input: string | Buffer,
  hdr: HdrColours | undefined,
  reading: SharpOptions = {},
): Promise<Source> {
  const metadata = await readHeader(input)
  const converted = await toSrgbTiff(input, metadata, hdr, reading)
  const { icc, space, width, height } = converted ? await readHeader(converted) : metadata
  return {
    ...factsOf(file, metadata, hdr),
    metadata,
    stored: { width, height },
    damaged: false,
    profile: icc && space === 'srgb' && describesRgb(icc) ? icc : undefined,
    open: options => sharp(converted ?? input, { limitInputPixels: pixelLimit(metadata), ...reading, ...options }),
  }
}

/** Like {@link openSource}, but reads only the header. */
export async function measureSource(file: SourceFile): Promise<ImageFacts> {
  const { path, format } = file
  await refuseIfTooComplex(path, format)
  await refuseIfMinimised(file)
  const header = await measureHeader(path, format)
  const { size, hdr } = factsOf(file, header, await readHdrColours(file))
  return { size, hdr }
}

async function measureHeader(path: string, format: ImageFormat): Promise<Header> {
  if (isReadByMagickAlone(format)) return measureWithMagick(path, format)
  if (format === 'avif') return readHeader(await readableAvif(path))
  if (format === 'heic') return measureHeic(path)
  if (format !== 'tiff') return readHeader(path)
  return readHeader(path).catch(() => measureWithMagick(path, 'tiff'))
}

type Header = Size & Pick<Metadata, 'orientation'>

function factsOf(file: Pick<SourceFile, 'orientation' | 'rotation'>, header: Header, hdr: HdrColours | undefined) {
  const claimed = header.orientation ?? file.orientation ?? 1
  const orientation = rotateOrientation(claimed >= 1 && claimed <= 8 ? claimed : 1, file.rotation ?? 0)
  return { orientation, hdr: hdr !== undefined, size: orientedSize(header, orientation) }
}

async function readableInput({ path, format }: SourceFile, reading: SharpOptions): Promise<string | Buffer> {
  if (isReadByMagickAlone(format)) return decodeWithMagick(path, format)
  if (format === 'avif') return readableAvif(path)
  if (format === 'tiff') return (await labTiffToSrgb(path, reading)) ?? readableTiff(path)
  return path
}

/** sharp recognises an AVIF only by its major brand, which is another one for animations. */
async function readableAvif(path: string): Promise<string | Buffer> {
  const head = await readHead(path, 12)
  if (head.toString('latin1', 8, 12) !== 'avis') return path
  const file = await readFile(path)
  file.write('avif', 8, 'latin1')
  return file
}

/** Some TIFF files that sharp cannot read, such as those of 12 bits or in YCbCr, are read by ImageMagick. */
async function readableTiff(path: string): Promise<string | Buffer> {
  try {
    await readHeader(path)
    return (await isMisreadTiff(path)) ? await decodeWithMagick(path, 'tiff') : path
  } catch (error) {
    return decodeWithMagick(path, 'tiff').catch(() => {
      throw error
    })
  }
}

/** Neither libvips nor libheif supports this form yet, and both would report it as damaged. */
async function refuseIfMinimised({ path, format }: SourceFile): Promise<void> {
  if ((format === 'avif' || format === 'heic') && (await isMinimised(path))) throw unsupported()
}

export async function readHdrColours({ path, format }: SourceFile): Promise<HdrColours | undefined> {
  if (format !== 'png' && format !== 'avif' && format !== 'heic' && format !== 'jxl') return undefined
  return hdrColoursOf(await readHead(path, HDR_HEAD_BYTES))
}

async function readHeader(input: string | Buffer): Promise<Metadata> {
  const metadata = await sharp(input, { limitInputPixels: false })
    .metadata()
    .catch(error => {
      throw decodingFailure(error)
    })
  refuseIfTooLarge(metadata, pixelLimit(metadata))
  return metadata
}

function pixelLimit({ format, isProgressive, space }: Metadata): number {
  return format === 'jpeg' && !isProgressive && space !== 'cmyk' ? MAX_PIXELS_BY_ROW : MAX_PIXELS
}
