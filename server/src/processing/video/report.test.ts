import { expect, test } from 'vitest'
import { parseReport } from './report.ts'

const report = (...lines: string[]) =>
  ["Input #0, matroska,webm, from 'file:/somewhere/clip':", '  Duration: 00:01:02.50, start: 0.000000', ...lines].join(
    '\n',
  )

const picture = (line: string) => parseReport(report(`  Stream #0:0: Video: ${line}`))?.video[0]
const sound = (line: string) => parseReport(report(`  Stream #0:0: Audio: ${line}`))?.audio[0]

test('a stream is read with its codec, profile, tag, size and rate', () => {
  const line =
    'h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive), 1920x1080 [SAR 1:1 DAR 16:9], 31274 kb/s, 29.97 fps, 30 tbr, 15360 tbn (default)'
  expect(picture(line)).toEqual({
    index: 0,
    codec: 'h264',
    profile: 'High',
    tag: 'avc1',
    isDefault: true,
    codedWidth: 1920,
    codedHeight: 1080,
    pixelAspect: 1,
    rotation: 0,
    pixelFormat: 'yuv420p',
    fullRange: false,
    interlaced: false,
    colours: { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' },
    fps: 29.97,
  })
})

test('the name of a decoder is not taken for a profile', () => {
  expect(picture('av1 (libdav1d) (Main) (av01 / 0x31307661), yuv420p(tv), 1920x1080')?.profile).toBe('Main')
})

test('colours of HDR are read one by one', () => {
  const line =
    'hevc (Main 10) (hvc1 / 0x31637668), yuv420p10le(tv, bt2020nc/bt2020/arib-std-b67, progressive), 3840x2160'
  expect(picture(line)?.colours).toEqual({ matrix: 'bt2020nc', primaries: 'bt2020', transfer: 'arib-std-b67' })
  expect(picture(line)?.profile).toBe('Main 10')
})

test.each([
  ['mpeg2video (Main), yuv420p(tv, top first), 720x576 [SAR 16:15 DAR 4:3], 25 fps', true],
  ['h264 (High), yuv420p(tv, bt709, top coded first (swapped)), 1920x1080, 25 fps', true],
  ['mpeg2video (Main), yuv420p(tv, progressive), 720x576, 25 fps', false],
  ['mpeg4 (Simple Profile) (XVID / 0x44495658), yuv420p, 720x576, 25 fps', false],
])('whether a picture is interlaced is read from "%s"', (line, interlaced) => {
  expect(picture(line)?.interlaced).toBe(interlaced)
  expect(picture(line)?.codedHeight).toBeGreaterThan(0)
})

test("the container's pixel aspect counts before the codec's", () => {
  expect(
    picture('h263 (s263 / 0x33363273), yuv420p, 352x288 [SAR 12:11 DAR 4:3], 552 kb/s, SAR 1:1 DAR 11:9')?.pixelAspect,
  ).toBe(1)
  expect(picture('mpeg2video, yuv420p, 1440x1080 [SAR 4:3 DAR 16:9], 25 fps')?.pixelAspect).toBeCloseTo(4 / 3)
  expect(picture('h264, yuv420p, 1440x1080 [SAR 9000:1 DAR 12000:1], 25 fps')?.pixelAspect).toBe(1)
})

test.each([
  ['-90.00', 90],
  ['90.00', 270],
  ['180.00', 180],
  ['-180.00', 180],
  ['0.00', 0],
  ['nan', 0],
])('a display matrix that turns by %s degrees counter-clockwise turns by %i clockwise', (degrees, clockwise) => {
  const text = report(
    '  Stream #0:0: Video: h264, yuv420p, 320x240, 25 fps',
    '    Side data:',
    `      displaymatrix: rotation of ${degrees} degrees`,
  )
  expect(parseReport(text)?.video[0]?.rotation).toBe(clockwise)
})

test('a cover picture is not a video', () => {
  const text = report(
    '  Stream #0:0[0x1](und): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, stereo, fltp, 69 kb/s (default)',
    '  Stream #0:1[0x0]: Video: mjpeg (Baseline), yuvj420p(pc, bt470bg/unknown/unknown), 64x64, 90k tbr, 90k tbn (attached pic)',
  )
  expect(parseReport(text)).toMatchObject({ video: [], audio: [{ index: 0, codec: 'aac', channels: 2 }] })
})

test('data and subtitles are neither picture nor sound', () => {
  const text = report('  Stream #0:0(eng): Data: none (tmcd / 0x64636D74)', '  Stream #0:1: Subtitle: subrip (default)')
  expect(parseReport(text)).toMatchObject({ video: [], audio: [] })
})

test('a tag in the file can not pass for a stream', () => {
  const forged = 'Stream #0:0: Video: h264 (High), yuv420p, 320x240, 25 fps'
  const text = report('  Metadata:', `    ${forged}: x`, '    title           : x', `                    :   ${forged}`)
  expect(parseReport(text)?.video).toEqual([])
})

test.each([
  ['aac (LC) (mp4a / 0x6134706D), 48000 Hz, mono, fltp, 69 kb/s', 'aac', 1],
  ['ac3 (AC-3 / 0x332D4341), 48000 Hz, 5.1(side), fltp, 448 kb/s', 'ac3', 6],
  ['pcm_s16le ([1][0][0][0] / 0x0001), 48000 Hz, 2 channels, s16, 1536 kb/s', 'pcm_s16le', 2],
  ['none (apac / 0x63617061), 48000 Hz, 4 channels, 423 kb/s (default)', 'none', 4],
])('sound is read from "%s"', (line, codec, channels) => {
  expect(sound(line)).toMatchObject({ codec, channels })
})

test('a length is read, and an estimated one is not believed', () => {
  expect(parseReport(report())?.durationSeconds).toBe(62.5)
  expect(
    parseReport(`Estimating duration from bitrate, this may be inaccurate\n${report()}`)?.durationSeconds,
  ).toBeNull()
  expect(parseReport("Input #0, flv, from 'x':\n  Duration: N/A, start: 0.000000")?.durationSeconds).toBeNull()
})

test('what is no report gives none', () => {
  expect(parseReport('file:/somewhere/clip: Invalid data found when processing input')).toBeNull()
})
