import { LeftToServer } from '../errors.ts'
import { texts } from '../texts.ts'
import { checkTiff } from './check-tiff.ts'
import type { DecodableFormat } from './recognise.ts'

/** The picture upright and in plain colours (sRGB). Whoever asks for it closes it. */
export async function decode(file: Blob, format: DecodableFormat): Promise<ImageBitmap> {
  if (format === 'tiff') await checkTiff(file)
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image', premultiplyAlpha: 'premultiply' })
  } catch (error) {
    // Few browsers know these, and the decoders for the others are large: each is loaded for the first photo that needs it.
    if (format === 'heic') {
      const { decodeHeic } = await import('./decode-heic.ts')
      return decodeHeic(new Uint8Array(await file.arrayBuffer()))
    }
    if (format === 'tiff') {
      const { decodeTiff } = await import('./decode-tiff.ts')
      return decodeTiff(file)
    }
    throw new LeftToServer(texts.leftToServer.undecodable, { cause: error })
  }
}
