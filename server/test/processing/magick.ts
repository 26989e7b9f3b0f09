import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  ColorSpace,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickImage,
  MagickImageCollection,
  type Orientation,
} from '@imagemagick/magick-wasm'

const formats = {
  jxl: MagickFormat.Jxl,
  bmp: MagickFormat.Bmp,
  jp2: MagickFormat.Jp2,
  j2k: MagickFormat.J2k,
  psd: MagickFormat.Psd,
  psb: MagickFormat.Psb,
}

let ready: Promise<void> | undefined

/** Writes formats that sharp cannot write. */
export async function writeWithMagick(
  png: Buffer,
  format: keyof typeof formats,
  { orientation }: { orientation?: Orientation } = {},
): Promise<Buffer> {
  await start()
  return ImageMagick.read(png, image => {
    image.quality = 100
    if (orientation !== undefined) image.orientation = orientation
    return image.write(formats[format], data => Buffer.from(data))
  })
}

/** A TIFF in YCbCr that is not compressed. */
export async function writeYcbcrTiff(png: Buffer): Promise<Buffer> {
  await start()
  return ImageMagick.read(png, image => {
    image.colorSpace = ColorSpace.YCbCr
    return image.write(MagickFormat.Tiff, data => Buffer.from(data))
  })
}

/** An animated JPEG XL of frames in PNG, each shown for so many hundredths of a second. */
export async function writeAnimatedJxl(frames: readonly { png: Buffer; delay: number }[]): Promise<Buffer> {
  await start()
  const collection = MagickImageCollection.create()
  for (const { png, delay } of frames) {
    const image = MagickImage.create(png)
    image.animationDelay = delay
    image.animationTicksPerSecond = 100
    image.quality = 100
    collection.push(image)
  }
  const jxl = collection.write(MagickFormat.Jxl, data => Buffer.from(data))
  collection.dispose()
  return jxl
}

/** A Photoshop file with one layer and a merged image. */
export async function writeLayers(whole: Buffer, layer: Buffer): Promise<Buffer> {
  await start()
  return ImageMagick.read(whole, first =>
    ImageMagick.read(layer, second => {
      // Not disposed: its images belong to the enclosing calls.
      const collection = MagickImageCollection.create()
      collection.push(first, second)
      return collection.write(MagickFormat.Psd, data => Buffer.from(data))
    }),
  )
}

function start(): Promise<void> {
  const program = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')
  ready ??= readFile(program).then(initializeImageMagick)
  return ready
}
