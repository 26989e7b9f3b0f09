import { afterAll, expect, test, vi } from 'vitest'
import { sandboxHere } from '../../../test/processing/sandbox.ts'
import { h264, h264AndAac, openClipFolder, PATIENCE, picture, sound } from '../../../test/processing/video-clips.ts'
import { convertVideo } from './convert.ts'
import {
  type ConversionPlan,
  planCompatibleConversion,
  planConversion,
  playbackType,
  transcodedSize,
} from './playback.ts'
import { type Container, probeVideo, type VideoProbe } from './probe.ts'

interface Case {
  container: Container
  picture?: { codec?: string; profile?: string; pixelFormat?: string; size?: [number, number]; interlaced?: boolean }
  sound?: { codec: string; profile?: string } | null
}

function probe({ container, picture = {}, sound = { codec: 'aac', profile: 'LC' } }: Case): VideoProbe {
  const [width, height] = picture.size ?? [1920, 1080]
  return {
    container,
    durationSeconds: 10,
    width,
    height,
    rotation: 0,
    video: {
      index: 0,
      codec: picture.codec ?? 'h264',
      profile: picture.profile ?? null,
      tag: null,
      isDefault: true,
      codedWidth: width,
      codedHeight: height,
      pixelAspect: 1,
      rotation: 0,
      pixelFormat: picture.pixelFormat ?? 'yuv420p',
      fullRange: false,
      interlaced: picture.interlaced ?? false,
      colours: null,
      fps: 25,
    },
    audio: sound && {
      index: 1,
      codec: sound.codec,
      profile: sound.profile ?? null,
      tag: null,
      isDefault: true,
      channels: 2,
    },
  }
}

const plays: ConversionPlan = { act: 'plays' }
const transcode: ConversionPlan = { act: 'transcode' }
const rewrap = (sound: 'copy' | 'convert' | 'none'): ConversionPlan => ({ act: 'rewrap', sound })

const cases: [string, Case, ConversionPlan][] = [
  ['MP4 with H.264 and AAC', { container: 'mp4' }, plays],
  ['MP4 with H.264 and no sound', { container: 'mp4', sound: null }, plays],
  ['MP4 with H.264 and MP3', { container: 'mp4', sound: { codec: 'mp3' } }, plays],
  ['MP4 with full-range H.264', { container: 'mp4', picture: { pixelFormat: 'yuvj420p', profile: 'High' } }, plays],
  ['MP4 with AV1 and Opus', { container: 'mp4', picture: { codec: 'av1' }, sound: { codec: 'opus' } }, plays],
  ['WebM with VP8 and Vorbis', { container: 'webm', picture: { codec: 'vp8' }, sound: { codec: 'vorbis' } }, plays],
  [
    'WebM with 10-bit VP9 and Opus',
    { container: 'webm', picture: { codec: 'vp9', pixelFormat: 'yuv420p10le' }, sound: { codec: 'opus' } },
    plays,
  ],
  ['MP4 with H.264 and AC-3', { container: 'mp4', sound: { codec: 'ac3' } }, rewrap('convert')],
  ['MP4 with H.264 and a rare AAC', { container: 'mp4', sound: { codec: 'aac', profile: 'Main' } }, rewrap('convert')],
  ['MOV with H.264 and AAC', { container: 'mov' }, rewrap('copy')],
  ['MOV with H.264 and PCM', { container: 'mov', sound: { codec: 'pcm_s16le' } }, rewrap('convert')],
  ['M4V with H.264 and AAC', { container: 'm4v' }, rewrap('copy')],
  ['MKV with H.264 and no sound', { container: 'mkv', sound: null }, rewrap('none')],
  ['MKV with H.264 and DTS', { container: 'mkv', sound: { codec: 'dts' } }, rewrap('convert')],
  [
    'MKV with VP9 and Opus',
    { container: 'mkv', picture: { codec: 'vp9' }, sound: { codec: 'opus' } },
    rewrap('convert'),
  ],
  [
    'MTS with interlaced H.264 and AC-3',
    { container: 'mpegts', picture: { interlaced: true }, sound: { codec: 'ac3' } },
    rewrap('convert'),
  ],
  ['3GP with H.264 and AAC', { container: '3gp' }, rewrap('copy')],
  ['FLV with H.264 and MP3', { container: 'flv', sound: { codec: 'mp3' } }, rewrap('copy')],
  ['MP4 with HEVC', { container: 'mp4', picture: { codec: 'hevc' } }, transcode],
  [
    'MOV with 10-bit H.264',
    { container: 'mov', picture: { pixelFormat: 'yuv420p10le', profile: 'High 10' } },
    transcode,
  ],
  ['MP4 with 4:2:2 H.264', { container: 'mp4', picture: { pixelFormat: 'yuv422p', profile: 'High 4:2:2' } }, transcode],
  ['MP4 with H.264 larger than decoders take', { container: 'mp4', picture: { size: [7680, 4320] } }, transcode],
  ['MP4 with MPEG-4 Visual', { container: 'mp4', picture: { codec: 'mpeg4' } }, transcode],
  ['MKV with VP8, which no MP4 can hold', { container: 'mkv', picture: { codec: 'vp8' } }, transcode],
  ['MOV with ProRes', { container: 'mov', picture: { codec: 'prores', pixelFormat: 'yuv422p10le' } }, transcode],
  ['AVI with H.264', { container: 'other' }, transcode],
  ['Ogg with Theora', { container: 'ogg', picture: { codec: 'theora' }, sound: { codec: 'vorbis' } }, transcode],
]

test.each(cases)('%s', (_name, given, plan) => {
  expect(planConversion(probe(given))).toEqual(plan)
})

test.each([
  [
    { width: 1920, height: 1080 },
    { width: 1920, height: 1080 },
  ],
  [
    { width: 321, height: 241 },
    { width: 320, height: 240 },
  ],
  [
    { width: 1, height: 1 },
    { width: 2, height: 2 },
  ],
  [
    { width: 7680, height: 4320 },
    { width: 4096, height: 2304 },
  ],
  [
    { width: 4320, height: 7680 },
    { width: 2304, height: 4096 },
  ],
  [
    { width: 8192, height: 8192 },
    { width: 2304, height: 2304 },
  ],
])('a video of %o is transcoded to %o', (size, transcoded) => {
  expect(transcodedSize(size)).toEqual(transcoded)
})

vi.setConfig(PATIENCE)
const clipFolder = await openClipFolder(sandboxHere)
const { make } = clipFolder
afterAll(() => clipFolder[Symbol.asyncDispose]())

const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']
const av1 = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime']

test.each([
  ['h264-aac.mp4', h264AndAac, null],
  ['av1-aac.mp4', [...av1, '-c:a', 'aac'], 'video/mp4; codecs="av01.0.01M.08, mp4a.40.2"'],
  ['av1-opus.webm', [...av1, '-c:a', 'libopus'], 'video/webm; codecs="av01.0.01M.08, opus"'],
  ['vp9-opus.webm', [...vp9, '-c:a', 'libopus'], 'video/webm; codecs="vp09.00.21.08, opus"'],
  ['vp9-10.webm', [...vp9, '-pix_fmt', 'yuv420p10le', '-an'], 'video/webm; codecs="vp09.02.21.10"'],
  ['vp8-vorbis.webm', ['-c:v', 'libvpx', '-c:a', 'libvorbis'], 'video/webm; codecs="vp8, vorbis"'],
  ['h264-opus.mp4', [...h264, '-c:a', 'libopus'], 'video/mp4; codecs="avc1.640028, opus"'],
] as const)(
  '%s is converted for devices that lack its codecs, and what is made plays everywhere',
  async (name, codecs, type) => {
    const path = await make(name, ...picture('160x120', 1), ...sound(1), ...codecs)
    const probe = await probeVideo(path, clipFolder)
    // A browser that supports the codecs plays all of them directly.
    expect(planConversion(probe)).toEqual({ act: 'plays' })
    expect(playbackType(probe)).toBe(type)
    const plan = planCompatibleConversion(probe)
    if (plan.act === 'plays') return expect(type).toBeNull()
    const outPath = `${path}.compatible.mp4`
    const made = await convertVideo({ ...clipFolder, path, probe, plan, outPath })
    // H.264 video is copied.
    expect(made.act).toBe(name.startsWith('h264') ? 'rewrap' : 'transcode')
    expect(made.probe).toMatchObject({ container: 'mp4', video: { codec: 'h264', pixelFormat: 'yuv420p' } })
    expect(made.probe.audio?.codec).toBe(probe.audio ? 'aac' : undefined)
    expect(playbackType(made.probe)).toBeNull()
  },
)
