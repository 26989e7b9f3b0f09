import { expect, test } from 'vitest'
import { baselineFor, encodedSize, type Picture, planFor, type VideoFacts } from './decide.ts'

const hd = { codedWidth: 1920, codedHeight: 1080 }
const h264: Picture = { codec: 'avc', codecString: 'avc1.640028', ...hd }
const aac = { codec: 'aac' }

function plan(container: VideoFacts['container'], picture: Partial<Picture> = {}, sound: VideoFacts['sound'] = aac) {
  return planFor({ container, picture: { ...h264, ...picture }, sound })
}

test('an MP4 or WebM with playable codecs is not converted', () => {
  expect(plan('mp4')).toBe('plays')
  expect(plan('mp4', {}, null)).toBe('plays')
  expect(plan('webm', { codec: 'vp9', codecString: 'vp09.00.41.08' }, { codec: 'opus' })).toBe('plays')
})

test('H.264 in another container is remuxed', () => {
  for (const container of ['mov', 'm4v', 'mkv', 'mpegts'] as const) expect(plan(container)).toBe('remux')
})

test('unplayable audio does not require encoding the video track', () => {
  expect(plan('mp4', {}, { codec: 'ac3' })).toBe('remux')
  expect(plan('mpegts', {}, { codec: 'ac3' })).toBe('remux')
})

test.each<[string, Partial<Picture>]>([
  ['HEVC', { codec: 'hevc', codecString: 'hvc1.1.6.L120.B0' }],
  ['H.264 with ten bits', { codecString: 'avc1.6e0028' }],
  ['H.264 with all the colours', { codecString: 'avc1.f40028' }],
  ['H.264 larger than decoders go', { codedWidth: 7680, codedHeight: 4320 }],
  ['AV1 with all the colours', { codec: 'av1', codecString: 'av01.1.08M.08' }],
  ['an unknown codec', { codec: null, codecString: null }],
])('%s is encoded again', (_, picture) => {
  expect(plan('mp4', picture)).toBe('encode')
  expect(plan('mkv', picture)).toBe('encode')
})

test('the lowest sufficient H.264 level is used', () => {
  expect(baselineFor(640, 480, 30)).toBe('avc1.42001e')
  expect(baselineFor(1280, 720, 30)).toBe('avc1.42001f')
  expect(baselineFor(1920, 1080, 30)).toBe('avc1.420028')
  expect(baselineFor(1080, 1920, 30)).toBe('avc1.420028')
  expect(baselineFor(3840, 2160, 30)).toBe('avc1.420033')
})

test('the encoded size is even and within the limits of H.264', () => {
  expect(encodedSize(1920, 1080)).toEqual({ width: 1920, height: 1080 })
  expect(encodedSize(641, 359)).toEqual({ width: 640, height: 358 })
  expect(encodedSize(7680, 4320)).toEqual({ width: 4096, height: 2304 })
  expect(encodedSize(1, 1)).toEqual({ width: 2, height: 2 })
})
