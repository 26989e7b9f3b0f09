import { ImageMagick, initializeImageMagick, MagickFormat, MagickReadSettings } from '@imagemagick/magick-wasm'
import programUrl from '@imagemagick/magick-wasm/magick.wasm?url'
import { CannotPrepare } from '../prepare.ts'

let loading: Promise<void> | undefined

async function load(): Promise<void> {
  const program = await fetch(programUrl)
  if (!program.ok) throw new CannotPrepare('undecodable')
  await initializeImageMagick(new Uint8Array(await program.arrayBuffer()))
}

/** Decodes the first page of a TIFF that {@link checkTiff} accepted. */
export async function decodeTiff(file: Blob): Promise<ImageBitmap> {
  loading ??= load()
  await loading.catch(error => {
    loading = undefined
    throw error
  })
  return createImageBitmap(toPng(new Uint8Array(await file.arrayBuffer())), { premultiplyAlpha: 'premultiply' })
}

/**
 * Converts to PNG, which keeps the colour profile for the browser to apply: ImageMagick has no sRGB profile to convert
 * to.
 */
function toPng(file: Uint8Array): Blob {
  const settings = new MagickReadSettings({ format: MagickFormat.Tiff, frameIndex: 0, frameCount: 1 })
  try {
    return ImageMagick.read(file, settings, image => {
      image.autoOrient()
      // The orientation is applied already; the browser would apply it again.
      image.removeProfile('exif')
      image.settings.setDefine(MagickFormat.Png, 'compression-level', '1')
      return image.write(MagickFormat.Png, png => new Blob([new Uint8Array(png)], { type: 'image/png' }))
    })
  } catch (error) {
    throw new CannotPrepare('undecodable', { cause: error })
  }
}
