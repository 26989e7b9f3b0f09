import { join } from 'node:path'
import sharp from 'sharp'
import { ANIMATION_NAME, type AnimationRequest, animationSide, type MadeAnimation } from '../animation.ts'
import { decodeOnce } from './decode.ts'
import { decodeFramesWithMagick } from './decode-with-magick.ts'
import type { Size } from './pixels.ts'
import { openInput, readHdrColours } from './source.ts'

const QUALITY = 85
/** Of 0 to 6; more takes several times as long and saves a few percent. */
const EFFORT = 2

/** Makes an animated WebP. Null if the picture has only one frame. */
export async function makeAnimation({ path, format, outDir }: AnimationRequest): Promise<MadeAnimation | null> {
  const hdr = await readHdrColours({ path, format })
  const durations: number[] = []
  let loop = 0
  let frame: Size | undefined
  let pixels = Buffer.alloc(0)
  await decodeFramesWithMagick(path, format, async ({ tiff, index, count, durationMs, ...played }) => {
    if (count === 1) return
    const source = await openInput({}, tiff, hdr)
    const { data, width, height } = await decodeOnce(source, 'jpeg', animationSide(source.size, count))
    if (!frame) {
      frame = { width, height }
      pixels = Buffer.alloc(count * data.length)
      loop = played.loop
    }
    data.copy(pixels, index * data.length)
    durations.push(durationMs)
  })
  if (!frame) return null
  const { width, height } = frame
  const raw = { width, height: height * durations.length, channels: 3, pageHeight: height } as const
  const encoded = sharp(pixels, { raw, limitInputPixels: false }).webp({
    quality: QUALITY,
    effort: EFFORT,
    delay: durations,
    loop,
  })
  const { size } = await encoded.toFile(join(outDir, ANIMATION_NAME))
  return { width, height, size }
}
