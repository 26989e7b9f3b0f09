import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { getMedia, rotateMedia } from '#contract/media.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures } from '../../../test/fixtures/pictures.ts'
import { asFile, photoForm, send, untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../../test/library.ts'
import { makeHeic } from '../../../test/processing/heic.ts'
import { writeAnimatedJxl } from '../../../test/processing/magick.ts'
import { makeHeifSequence, openClipFolder, PATIENCE } from '../../../test/processing/video-clips.ts'
import { animationLimits } from '../../processing/animation.ts'

vi.setConfig(PATIENCE)
const clips = await openClipFolder()
afterAll(() => clips[Symbol.asyncDispose]())

const size = { width: 64, height: 32 }
const colours = ['red', 'blue', 'lime'] as const
const plain = (background: string) =>
  sharp({ create: { ...size, channels: 3, background } })
    .png()
    .toBuffer()

let made = 0
const x265 = ['-pix_fmt', 'yuv420p', '-c:v', 'libx265', '-tag:v', 'hvc1', '-movflags', '+faststart']

/** Frames of one colour each, half a second long. */
const turning = (frames = 4) => `color=red:size=64x64:rate=2:duration=${frames / 2},hue=H=2*PI*n/4`

async function sequence(source = turning(), options = 'crf=10'): Promise<Buffer> {
  // Each is unique, because uploads are deduplicated by hash.
  const own = ['-metadata', `comment=${++made}`, '-x265-params', `log-level=none:${options}`]
  const path = await clips.make(`${made}.mp4`, '-f', 'lavfi', '-i', source, ...x265, ...own)
  await makeHeifSequence(path)
  return readFile(path)
}

async function animatedJxl(): Promise<Buffer> {
  const delays = [10, 20, 50 + ++made]
  const frames = colours.map(async (colour, i) => ({ png: await plain(colour), delay: delays[i] ?? 0 }))
  return writeAnimatedJxl(await Promise.all(frames))
}

/** The colour in the centre of each frame. */
async function readFrames(bytes: Buffer): Promise<number[][]> {
  const { pages = 1 } = await sharp(bytes).metadata()
  const read = async (page: number) => [...(await sharp(bytes, { page }).resize(1, 1).removeAlpha().raw().toBuffer())]
  return Promise.all(Array.from({ length: pages }, (_, page) => read(page)))
}

function expectNear(actual: readonly number[] | undefined, expected: readonly number[]): void {
  expect(Math.max(...expected.map((value, i) => Math.abs(value - (actual?.[i] ?? -255))))).toBeLessThan(40)
}

const [RED, BLUE, LIME] = [
  [255, 0, 0],
  [0, 0, 255],
  [0, 255, 0],
]

onOneEngine(
  'a moving picture that browsers cannot play',
  library => {
    const bytesAt = async (url: string | null | undefined) => (await fetchFrom(library(), url)).bytes

    test('plays if it is a JPEG XL, each frame for as long as in the original', async () => {
      const ben = await memberOf(library())
      const bytes = await animatedJxl()
      const { id } = await uploadFile(ben, { name: 'moving.jxl', bytes })
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', animated: true, first_frame_only: false, ...size })
      const played = await fetchFrom(library(), file.url)
      expect(played.type).toBe('image/webp')
      const metadata = await sharp(played.bytes).metadata()
      expect(metadata).toMatchObject({ width: 64, height: 32, pages: 3, loop: 0 })
      expect(metadata.delay?.slice(0, 2)).toEqual([100, 200])
      const frames = await readFrames(played.bytes)
      for (const [i, colour] of [RED, BLUE, LIME].entries()) expectNear(frames[i], colour ?? [])
      const [still = []] = await readFrames(await bytesAt(file.variant_urls?.desktop))
      expectNear(still, RED ?? [])
      expect(await bytesAt(file.download_url)).toEqual(bytes)
    })

    test.each([
      ['without a still', () => sequence()],
      ['with a still beside it', async () => makeHeic({ head: await sequence() })],
      // libheif cannot decode this one.
      [
        'whose frames are not stored in the order of display',
        () => sequence('testsrc2=size=640x480:rate=2:duration=10', 'crf=16:bframes=4'),
      ],
    ])('plays if it is a HEIF sequence %s', async (what, take) => {
      const ben = await memberOf(library())
      const { id } = await uploadFile(ben, { name: `${what}.heics`, bytes: await take() })
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', animated: true, mime_type: 'image/heic' })
      const played = await fetchFrom(library(), file.url)
      expect(played.type).toBe('image/webp')
      const frames = await readFrames(played.bytes)
      expect(frames.length).toBeGreaterThan(3)
      expect(new Set(frames.map(String)).size).toBeGreaterThan(3)
      expect((await sharp(played.bytes).metadata()).delay?.slice(0, 3)).toEqual([500, 500, 500])
      expect(await sharp(await bytesAt(file.variant_urls?.thumbnail)).metadata()).toMatchObject({ format: 'jpeg' })
    })

    test('plays although a browser has prepared it as a still', async () => {
      const ben = await memberOf(library())
      const still = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer()
      const form = photoForm('prepared.heics', still, await makeClientPictures(still))
      form.append('files', asFile(await sequence()), 'original_prepared.heics')
      const { files } = await send(ben, form)
      expect(files).toMatchObject([{ status: 'ready', animated: false }])
      const read = () => ben.call(getMedia, { params: { id: files[0]?.id ?? 0 } })
      await expect.poll(async () => (await read()).animated, { timeout: 60_000 }).toBe(true)
      expect((await readFrames(await bytesAt((await read()).url))).length).toBe(4)
    })

    test('still plays after it was turned', async () => {
      const ben = await memberOf(library())
      const { id } = await uploadFile(ben, { name: 'turned.jxl', bytes: await animatedJxl() })
      await untilPrepared(ben, id)
      await ben.call(rotateMedia, { params: { id }, body: { rotation: 90 } })
      const read = () => ben.call(getMedia, { params: { id } })
      await expect.poll(async () => (await read()).rotation?.variants, { timeout: 60_000 }).toBe(90)
      const file = await read()
      // The page turns what plays, as it does with a GIF.
      expect(file).toMatchObject({ animated: true, width: 32, height: 64, rotation: { saved: 90, url: 0 } })
      expect(await sharp(await bytesAt(file.url)).metadata()).toMatchObject({ width: 64, height: 32, pages: 3 })
    })

    test('of too many frames shows its first one and says so', async () => {
      const ben = await memberOf(library())
      const bytes = await sequence(turning(animationLimits.frames + 1))
      const { id } = await uploadFile(ben, { name: 'long.heics', bytes })
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', animated: false, first_frame_only: true })
      expect(await fetchFrom(library(), file.url)).toMatchObject({ type: 'image/jpeg' })
    })
  },
  { environment: { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH } },
)
