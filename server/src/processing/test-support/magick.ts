import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { ImageMagick, initializeImageMagick, MagickFormat, type Orientation } from '@imagemagick/magick-wasm'

let ready: Promise<void> | undefined

/** Writes formats that sharp cannot write. */
export async function writeWithMagick(
  png: Buffer,
  format: 'jxl' | 'bmp',
  { orientation }: { orientation?: Orientation } = {},
): Promise<Buffer> {
  const program = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')
  ready ??= readFile(program).then(initializeImageMagick)
  await ready
  return ImageMagick.read(png, image => {
    image.quality = 100
    if (orientation !== undefined) image.orientation = orientation
    return image.write(format === 'jxl' ? MagickFormat.Jxl : MagickFormat.Bmp, data => Buffer.from(data))
  })
}
