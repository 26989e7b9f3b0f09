import { existsSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { sandboxHere } from '../../../test/processing/sandbox.ts'
import { h264, openClipFolder, PATIENCE, picture, turnClockwise } from '../../../test/processing/video-clips.ts'
import { makePoster } from './poster.ts'
import { probeVideo } from './probe.ts'

vi.setConfig(PATIENCE)
const clipFolder = await openClipFolder(sandboxHere)
const { make } = clipFolder
afterAll(() => clipFolder[Symbol.asyncDispose]())

async function posterOf(path: string) {
  const outPath = `${path}.jpg`
  await makePoster({ ...clipFolder, path, probe: await probeVideo(path, clipFolder), outPath })
  return sharp(outPath)
}

/** The colour of a picture at a position, in fractions of its width and height. */
async function colourAt(poster: Sharp, x: number, y: number): Promise<number[]> {
  const { data, info } = await poster.clone().raw().toBuffer({ resolveWithObject: true })
  const pixel = Math.floor(y * info.height) * info.width + Math.floor(x * info.width)
  return [...data.subarray(pixel * info.channels, pixel * info.channels + 3)]
}

const near = (colour: number[]) => colour.map(value => expect.closeTo(value, -1.3))
const solid = (colour: string, size: string, seconds: number) => [
  ...['-f', 'lavfi', '-i', `color=${colour}:size=${size}:rate=25:duration=${seconds}`],
]

test('a poster has the size in which the video is shown', async () => {
  const path = await make('stretched.avi', ...picture('180x144'), '-vf', 'setsar=16/15', '-c:v', 'mpeg4')
  expect(await (await posterOf(path)).metadata()).toMatchObject({ format: 'jpeg', width: 192, height: 144 })
})

test('a poster of a video filmed upright is upright', async () => {
  const redOverBlue = ['-filter_complex', '[0][1]hstack']
  // As stored, red is on the left; after a clockwise turn it is on top.
  const path = await make(
    'turned.mov',
    ...solid('red', '80x120', 1),
    ...solid('blue', '80x120', 1),
    ...redOverBlue,
    ...h264,
  )
  await turnClockwise(path)
  const poster = await posterOf(path)
  expect(await poster.metadata()).toMatchObject({ width: 120, height: 160 })
  expect(await colourAt(poster, 0.5, 0.2)).toEqual(near([255, 0, 0]))
  expect(await colourAt(poster, 0.5, 0.8)).toEqual(near([0, 0, 255]))
})

test.each([
  ['small', '160x120'],
  ['high-definition', '1280x720'],
])('colours of a %s video are right', async (_name, size) => {
  // Neither declares its colours; players assume BT.601 for the small one and BT.709 for the other.
  const matrix = size === '1280x720' ? 'bt709' : 'bt601'
  const filters = `format=rgb24,scale=out_color_matrix=${matrix},format=yuv420p`
  const path = await make(`${size}.mp4`, ...solid('0x20A050', size, 1), '-vf', filters, ...h264)
  expect(await colourAt(await posterOf(path), 0.5, 0.5)).toEqual(near([0x20, 0xa0, 0x50]))
})

test('a video that begins black does not get a black poster', async () => {
  const fading = ['-filter_complex', '[0][1]concat=n=2', ...h264, '-g', '25']
  const path = await make('fading.mp4', ...solid('black', '160x120', 3), ...solid('yellow', '160x120', 3), ...fading)
  expect(await colourAt(await posterOf(path), 0.5, 0.5)).toEqual(near([255, 255, 0]))
})

/** Difference between the dark and bright parts of a poster. */
async function contrastOf(poster: Sharp): Promise<number> {
  const { channels } = await poster.clone().greyscale().stats()
  return channels[0]?.stdev ?? 0
}

test.each([
  ['from black', 'black', 25],
  ['from white', 'white', 25],
  ['from grey, with a single key frame', 'gray', 1_000],
])('a video that fades in %s gets a poster from after the fade', async (_what, colour, keyFrames) => {
  const fade = ['-vf', `fade=in:0:50:color=${colour}`, ...h264, '-g', String(keyFrames), '-sc_threshold', '0']
  const path = await make('fade-in.mp4', ...picture('160x120', 5), ...fade)
  const plain = await make('plain.mp4', ...picture('160x120', 5), ...h264)
  expect(await contrastOf(await posterOf(path))).toBeGreaterThan(0.6 * (await contrastOf(await posterOf(plain))))
})

test('a long plain title does not become the poster where there is a picture after it', async () => {
  const parts = ['-filter_complex', '[0][1]concat=n=2', ...h264, '-g', '250']
  const path = await make('title.mp4', ...solid('white', '160x120', 40), ...picture('160x120', 40), ...parts)
  expect(await contrastOf(await posterOf(path))).toBeGreaterThan(30)
})

test('of an interlaced video with many key frames a single whole frame is taken', async () => {
  const args = [
    '-vf',
    'fade=in:0:25:color=white',
    '-c:v',
    'mpeg2video',
    '-g',
    '1',
    '-flags',
    '+ildct+ilme',
    '-top',
    '1',
  ]
  const path = await make('interlaced.mpg', ...picture('160x120', 3), ...args)
  expect((await probeVideo(path, clipFolder)).video.interlaced).toBe(true)
  expect(await contrastOf(await posterOf(path))).toBeGreaterThan(30)
})

test('a video that is black throughout gets a black poster', async () => {
  const path = await make('black.mp4', ...solid('black', '160x120', 1), ...h264)
  expect(await colourAt(await posterOf(path), 0.5, 0.5)).toEqual(near([0, 0, 0]))
})

test('HDR is tone-mapped', async () => {
  // In HLG, reference white is at 75 % of the signal.
  const tags = ['-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc']
  const path = await make(
    'hdr.mkv',
    ...solid('0xBFBFBF', '160x120', 1),
    '-pix_fmt',
    'yuv420p10le',
    '-c:v',
    'ffv1',
    ...tags,
  )
  const probe = await probeVideo(path, clipFolder)
  expect(probe.video.colours?.transfer).toBe('arib-std-b67')
  const [red = 0, green = 0, blue = 0] = await colourAt(await posterOf(path), 0.5, 0.5)
  expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(8)
  expect(red).toBeGreaterThan(200)
  expect(red).toBeLessThan(240)
})

test('a video without a single readable frame fails in words, and leaves no file', async () => {
  const path = await make('unreadable.mov', ...picture(), '-c:v', 'mpeg4')
  const probe = await probeVideo(path, clipFolder)
  const outPath = `${path}.jpg`
  await truncate(path, 1_000)
  await expect(makePoster({ ...clipFolder, path, probe, outPath })).rejects.toMatchObject({
    failure: 'unreadable',
    message: 'No picture could be taken from the video: it seems to be cut off.',
  })
  expect(existsSync(outPath)).toBe(false)
})
