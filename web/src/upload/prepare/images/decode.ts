import { LeftToServer } from '../errors.ts'
import { texts } from '../texts.ts'
import type { DecodableFormat } from './recognise.ts'

/** The picture upright and in plain colours (sRGB). Whoever asks for it closes it. */
export async function decode(file: Blob, format: DecodableFormat): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image', premultiplyAlpha: 'premultiply' })
  } catch (error) {
    if (format !== 'heic') throw new LeftToServer(texts.leftToServer.undecodable, { cause: error })
    // Few browsers know HEIC, and the decoder for the others is large: it is loaded when the first such photo comes.
    const { decodeHeic } = await import('./decode-heic.ts')
    return decodeHeic(new Uint8Array(await file.arrayBuffer()))
  }
}
