import { existsSync } from 'node:fs'
import { readFile, truncate } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { sandboxHere } from '../../../test/processing/sandbox.ts'
import {
  h264,
  h264AndAac,
  openClipFolder,
  overwrite,
  PATIENCE,
  picture,
  sound,
  turnClockwise,
} from '../../../test/processing/video-clips.ts'
import { ConversionLoss, convertVideo, verifyConversion } from './convert.ts'
import { planConversion } from './playback.ts'
import { probeVideo } from './probe.ts'

vi.setConfig(PATIENCE)
const clipFolder = await openClipFolder(sandboxHere)
const { make, at } = clipFolder
afterAll(() => clipFolder[Symbol.asyncDispose]())

/** Plans and runs the conversion of a clip; returns both. */
async function convert(path: string) {
  const probe = await probeVideo(path, clipFolder)
  const plan = planConversion(probe)
  if (plan.act === 'plays') return { probe, plan, result: undefined, outPath: path, percents: [] }
  const outPath = `${path}.converted.mp4`
  const percents: number[] = []
  const result = await convertVideo({ ...clipFolder, path, probe, plan, outPath, onProgress: p => percents.push(p) })
  return { probe, plan, result, outPath, percents }
}

test.each([
  ['clip.mp4', h264AndAac],
  ['clip.webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']],
])('%s plays as it is', async (name, codecs) => {
  const { plan } = await convert(await make(name, ...picture(), ...sound(), ...codecs))
  expect(plan).toEqual({ act: 'plays' })
})

test.each([
  ['clip.mkv', 'copy', h264AndAac],
  ['clip.mov', 'convert', [...h264, '-c:a', 'pcm_s16le']],
  ['clip.mts', 'convert', [...h264, '-c:a', 'ac3']],
])('%s is re-wrapped, and its sound: %s', async (name, soundPlan, codecs) => {
  const { plan, result } = await convert(await make(name, ...picture(), ...sound(), ...codecs))
  expect(plan).toEqual({ act: 'rewrap', sound: soundPlan })
  expect(result).toMatchObject({ act: 'rewrap', probe: { container: 'mp4', width: 160, height: 120 } })
  expect(result?.probe).toMatchObject({ video: { codec: 'h264' }, audio: { codec: 'aac' } })
})

test.each([
  ['clip.avi', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']],
  ['clip.wmv', ['-c:v', 'wmv2', '-c:a', 'wmav2']],
  ['clip.3gp', ['-c:v', 'h263', '-s', '176x144', '-c:a', 'aac', '-ar', '8000']],
  ['clip.mpg', ['-c:v', 'mpeg2video', '-c:a', 'mp2']],
])('%s is transcoded', async (name, codecs) => {
  const { probe, plan, result, outPath, percents } = await convert(
    await make(name, ...picture(), ...sound(), ...codecs),
  )
  expect(plan).toEqual({ act: 'transcode' })
  expect(result?.probe).toMatchObject({ container: 'mp4', width: probe.width, height: probe.height })
  expect(result?.probe.video).toMatchObject({ codec: 'h264', pixelFormat: 'yuv420p', profile: 'High' })
  expect(result?.probe.audio).toMatchObject({ codec: 'aac', profile: 'LC' })
  expect(planConversion(await probeVideo(outPath, clipFolder))).toEqual({ act: 'plays' })
  expect(percents.at(-1)).toBe(100)
})

test('a converted video can start before all of it has come', async () => {
  const { outPath } = await convert(await make('late-index.avi', ...picture(), '-c:v', 'mpeg4'))
  const bytes = await readFile(outPath)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})

test('a video filmed upright stays upright, whether re-wrapped or transcoded', async () => {
  const toTranscode = await make('turned.mp4', ...picture(), '-c:v', 'mpeg4')
  await turnClockwise(toTranscode)
  const { probe, result } = await convert(toTranscode)
  expect(probe).toMatchObject({ width: 120, height: 160, rotation: 90 })
  expect(result).toMatchObject({ act: 'transcode', probe: { width: 120, height: 160, rotation: 0 } })

  const toRewrap = await make('turned.mov', ...picture(), ...h264)
  await turnClockwise(toRewrap)
  const rewrapped = await convert(toRewrap)
  expect(rewrapped.result).toMatchObject({ act: 'rewrap', probe: { width: 120, height: 160, rotation: 90 } })
})

test('a silent video stays silent', async () => {
  const { result } = await convert(await make('silent.avi', ...picture(), '-c:v', 'mpeg4'))
  expect(result?.probe.audio).toBeNull()
})

test('odd sizes become even and stretched pixels square', async () => {
  const odd = await make('odd.mkv', ...picture('161x121'), '-c:v', 'ffv1')
  expect((await convert(odd)).result?.probe).toMatchObject({ width: 160, height: 120 })
  const stretched = await make('wide.avi', ...picture('180x144'), '-vf', 'setsar=16/15', '-c:v', 'mpeg4')
  const { probe, result } = await convert(stretched)
  expect(probe).toMatchObject({ width: 192, height: 144 })
  expect(result?.probe).toMatchObject({ width: 192, height: 144, video: { codedWidth: 192, pixelAspect: 1 } })
})

test('interlaced pictures are made whole when transcoded', async () => {
  const interlacing = ['-vf', 'tinterlace=interleave_top', '-flags', '+ilme+ildct', '-c:v', 'mpeg2video']
  const { probe, result } = await convert(await make('interlaced.mpg', ...picture(), ...interlacing))
  expect(probe.video.interlaced).toBe(true)
  expect(result?.probe.video.interlaced).toBe(false)
})

test('the colours of a camera that filmed in Motion JPEG stay as they are', async () => {
  const green = ['-f', 'lavfi', '-i', 'color=0x20A050:size=1280x720:duration=0.2']
  const { outPath } = await convert(await make('camera.avi', ...green, '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p'))
  const shown = await make('shown.png', '-i', outPath, '-vf', 'scale=in_color_matrix=bt709', '-frames:v', '1')
  const { channels } = await sharp(shown).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 8))).toEqual([0x20, 0xa0, 0x50].map(value => value / 8))
})

test('of several sounds the one for everybody is kept, in stereo', async () => {
  const sounds = ['-map', '0', '-map', '1', '-map', '1', '-disposition:a:0', '0', '-disposition:a:1', 'default']
  const path = await make('sounds.mkv', ...picture(), ...sound(), ...sounds, ...h264, '-c:a', 'ac3', '-ac:a:1', '6')
  const { probe, result } = await convert(path)
  expect(probe.audio).toMatchObject({ index: 2, channels: 6 })
  expect(result?.probe.audio).toMatchObject({ codec: 'aac', channels: 2 })
})

test('slow motion is brought to a rate that screens show', async () => {
  const fast = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=240:duration=1']
  const { probe, result } = await convert(await make('fast.mkv', ...fast, '-c:v', 'mpeg4'))
  expect(probe.video.fps).toBe(240)
  expect(result?.probe.video.fps).toBeLessThanOrEqual(60)
  expect(result?.probe.durationSeconds).toBeCloseTo(1, 0)
})

test('a video that does not say how long it is gets measured', async () => {
  const path = await make(
    'live.webm',
    ...picture(),
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-live',
    '1',
    '-f',
    'webm',
  )
  const probe = await probeVideo(path, clipFolder)
  expect(probe.durationSeconds).toBeCloseTo(2, 0)
})

test('of a video that was cut off what is left is converted, and it is known to be cut off', async () => {
  const path = await make('cut.mkv', ...picture('160x120', 10), ...sound(10), ...h264AndAac)
  await truncate(path, 100_000)
  const { probe, result } = await convert(path)
  expect(result).toMatchObject({ cutOff: true, probe: { video: { codec: 'h264' }, audio: { codec: 'aac' } } })
  expect(result?.probe.durationSeconds).toBeGreaterThan(0.5)
  expect(result?.probe.durationSeconds).toBeLessThan((probe.durationSeconds ?? 0) - 1)
})

test('a clip is made as small as its place on the screen', async () => {
  const path = await make('clip-of-photo.mov', ...picture('480x640', 1), '-c:v', 'mpeg4')
  const probe = await probeVideo(path, clipFolder)
  const order = { ...clipFolder, path, probe, plan: { act: 'transcode' } as const, maxSize: 320 }
  const result = await convertVideo({ ...order, outPath: at('small.mp4') })
  expect(result).toMatchObject({ cutOff: false, probe: { width: 240, height: 320 } })
})

test('a sound that can not be read fails the conversion rather than being left out', async () => {
  const path = await make('strange-sound.mov', ...picture(), ...sound(), ...h264, '-c:a', 'pcm_s16le')
  await overwrite(path, 'sowt', 'zzzz')
  await expect(convert(path)).rejects.toMatchObject({
    message: 'The video could not be converted: its picture or sound is in a format that is not known here.',
  })
})

test('streams that turn out not to fit an MP4 are transcoded instead', async () => {
  // A wrong plan for this file: MP4 cannot contain FFV1.
  const path = await make('misjudged.mkv', ...picture(), '-c:v', 'ffv1')
  const probe = await probeVideo(path, clipFolder)
  const outPath = at('misjudged.mp4')
  const result = await convertVideo({ ...clipFolder, path, probe, outPath, plan: { act: 'rewrap', sound: 'none' } })
  expect(result).toMatchObject({ act: 'transcode', probe: { video: { codec: 'h264' } } })
})

test('a cancelled conversion leaves nothing', async () => {
  const path = await make('long.avi', ...picture('640x480', 10), '-c:v', 'mpeg4')
  const probe = await probeVideo(path, clipFolder)
  const cancel = new AbortController()
  const outPath = at('long.mp4')
  const plan = { act: 'transcode' } as const
  const converting = convertVideo({ ...clipFolder, path, probe, plan, outPath, signal: cancel.signal })
  const refused = expect(converting).rejects.toMatchObject({ failure: 'cancelled' })
  await vi.waitFor(() => expect(existsSync(outPath)).toBe(true), { timeout: 30_000 })
  cancel.abort()
  await refused
  expect(existsSync(outPath)).toBe(false)
})

const path = await make('source.mkv', ...picture('160x120', 6), ...sound(6), ...h264AndAac)
const source = { ...clipFolder, path, probe: await probeVideo(path, clipFolder) }

test('a version with all of the picture and sound is whole', async () => {
  const whole = await make('whole.mp4', '-i', path, '-c', 'copy')
  expect(await verifyConversion(source, whole)).toMatchObject({
    probe: { container: 'mp4', audio: { codec: 'aac' } },
    cutOff: false,
  })
})

test.each([
  ['without the sound', 'sound', ['-an', '-c', 'copy']],
  ['with half of the sound', 'sound', ['-c:v', 'copy', '-af', 'atrim=end=3']],
  ['with half of the picture', 'picture', [...h264, '-vf', 'trim=end=3', '-c:a', 'copy']],
  ['of half the length', 'picture', ['-t', '3', '-c', 'copy']],
])('a version %s is not', async (name, lost, how) => {
  const version = await make(`${name}.mp4`, '-i', path, ...how)
  const verdict = await verifyConversion(source, version).catch((error: unknown) => error)
  expect(verdict).toBeInstanceOf(ConversionLoss)
  expect(verdict).toHaveProperty(
    'message',
    `The video could not be converted: some of its ${lost} would have been lost.`,
  )
})

test('sound that ends early in the source may end early in its conversion', async () => {
  const early = await make('early.mkv', ...picture('160x120', 6), ...sound(2), ...h264AndAac)
  const version = await make('early.mp4', '-i', early, '-c', 'copy')
  const shortSound = { ...clipFolder, path: early, probe: await probeVideo(early, clipFolder) }
  expect(await verifyConversion(shortSound, version)).toMatchObject({ probe: { audio: { codec: 'aac' } } })
})
