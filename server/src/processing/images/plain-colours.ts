import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import type { HdrColours } from '#contract/hdr-still.ts'
import { MAX_PIXELS, toPixels } from './pixels.ts'
import { allocateTiff, toTiff } from './tiff.ts'
import { toneMap } from './tone-map.ts'

/**
 * A TIFF in memory with the colours of a picture that sharp by itself would show wrongly; undefined where it gets them
 * right. Pictures of 16 bits come out of sharp as Display P3 without saying so, grey ones without regard to their
 * profile, and HDR pale.
 */
export async function toSrgbTiff(
  input: string | Buffer,
  { icc, space }: Pick<Metadata, 'icc' | 'space'>,
  hdr: HdrColours | undefined,
  reading: SharpOptions,
): Promise<Buffer | undefined> {
  const open = (options?: SharpOptions) => sharp(input, { limitInputPixels: MAX_PIXELS, ...reading, ...options })
  if (hdr) return toneMapped(open({ ignoreIcc: true }), hdr)
  if (!icc) return undefined
  if (space === 'rgb16') return toTiff(await toPixels(open().withIccProfile('srgb')))
  if (space !== 'grey16') return undefined
  const { data, info } = await open({ ignoreIcc: true })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return toTiff({ data, width: info.width, height: info.height, channels: info.channels as 1 | 2 }, icc)
}

async function toneMapped(image: Sharp, hdr: HdrColours): Promise<Buffer> {
  const { data, info } = await image
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const channels = info.channels as 3 | 4
  const tiff = allocateTiff({ width, height, channels })
  toneMap(new Uint16Array(data.buffer, data.byteOffset, data.length / 2), channels, hdr, tiff.pixels)
  return tiff.file
}
