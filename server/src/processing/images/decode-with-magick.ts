import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { ImageMagick, initializeImageMagick, MagickFormat, MagickReadSettings } from '@imagemagick/magick-wasm'
import { unreadable } from '../errors.ts'

const magickFormats = { jxl: MagickFormat.Jxl, bmp: MagickFormat.Bmp }

let ready: Promise<void> | undefined

/** Decodes what sharp cannot to a TIFF in memory, with its colour profile and its orientation. */
export async function decodeWithMagick(path: string, format: keyof typeof magickFormats): Promise<Buffer> {
  ready ??= loadMagick()
  await ready
  const file = await readFile(path)
  const settings = new MagickReadSettings({ format: magickFormats[format] })
  try {
    return ImageMagick.read(file, settings, image => image.write(MagickFormat.Tiff, tiff => Buffer.from(tiff)))
  } catch (error) {
    throw unreadable(error)
  }
}

async function loadMagick(): Promise<void> {
  const program = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')
  await initializeImageMagick(await readFile(program))
}
