import type { Container, VideoProbe } from './probe.ts'

export type ConversionPlan =
  /** A browser plays the file as it is. */
  | { readonly act: 'plays' }
  /** The picture goes into an MP4 as it is; the sound too, where browsers play it. */
  | { readonly act: 'rewrap'; readonly sound: 'copy' | 'convert' | 'none' }
  | { readonly act: 'transcode' }

/**
 * What has to be done so that every browser plays a video. An MP4 whose index stands at its end plays too: browsers
 * fetch the end first, by a range, and the original needs no second copy beside it.
 */
export function planConversion(probe: VideoProbe): ConversionPlan {
  if (playsAsItIs(probe)) return { act: 'plays' }
  if (!canRewrap.has(probe.container) || !pictureGoesIntoMp4(probe)) return { act: 'transcode' }
  if (!probe.audio) return { act: 'rewrap', sound: 'none' }
  return { act: 'rewrap', sound: soundGoesIntoMp4(probe) ? 'copy' : 'convert' }
}

/** What has to be done so that the oldest phones play a video too: H.264 with AAC or MP3 in an MP4. */
export function planCompatibleConversion(probe: VideoProbe): ConversionPlan {
  const plan = planConversion(probe)
  if (probe.video.codec !== 'h264') return { act: 'transcode' }
  if (plan.act !== 'plays' || !probe.audio || soundGoesIntoMp4(probe)) return plan
  return { act: 'rewrap', sound: 'convert' }
}

/** Ogg is not among them: browsers have given up Theora, the one picture format at home in it. */
const playable: Partial<Record<Container, { picture: string[]; sound: string[] }>> = {
  mp4: { picture: ['h264', 'vp9', 'av1'], sound: ['aac', 'mp3', 'opus', 'flac'] },
  webm: { picture: ['vp8', 'vp9', 'av1'], sound: ['opus', 'vorbis'] },
}

function playsAsItIs(probe: VideoProbe): boolean {
  const formats = playable[probe.container]
  if (!formats?.picture.includes(probe.video.codec) || !browsersDecode(probe)) return false
  return !probe.audio || (formats.sound.includes(probe.audio.codec) && isCommonSound(probe))
}

/** Not AVI: it keeps no time for each picture, so that a copy of its H.264 can play out of order. */
const canRewrap = new Set<Container>(['mp4', 'mov', 'm4v', '3gp', 'mkv', 'webm', 'mpegts', 'flv'])

/**
 * Interlaced H.264 (camcorders) is among them. A browser plays it, with combed edges where things move fast; that is
 * the price of keeping the picture as it was filmed rather than encoding it anew for hours.
 */
function pictureGoesIntoMp4(probe: VideoProbe): boolean {
  return ['h264', 'vp9', 'av1'].includes(probe.video.codec) && browsersDecode(probe)
}

function soundGoesIntoMp4(probe: VideoProbe): boolean {
  return ['aac', 'mp3'].includes(probe.audio?.codec ?? '') && isCommonSound(probe)
}

const EIGHT_BIT = ['yuv420p', 'yuvj420p', 'yuva420p']
const TEN_BIT = 'yuv420p10le'

/** HEVC is not among them: whether it plays depends on the browser, the system and the graphics card. */
const decodable: Record<string, (probe: VideoProbe) => boolean> = {
  h264: probe =>
    hasPixels(probe, EIGHT_BIT) && isCommonH264(probe) && fitsH264(probe.video.codedWidth, probe.video.codedHeight),
  vp8: probe => hasPixels(probe, EIGHT_BIT),
  vp9: probe => hasPixels(probe, [...EIGHT_BIT, TEN_BIT]),
  av1: probe => hasPixels(probe, [...EIGHT_BIT, TEN_BIT]),
}

function browsersDecode(probe: VideoProbe): boolean {
  return decodable[probe.video.codec]?.(probe) ?? false
}

function hasPixels({ video }: VideoProbe, formats: string[]): boolean {
  return video.pixelFormat !== null && formats.includes(video.pixelFormat)
}

function isCommonH264({ video }: VideoProbe): boolean {
  return video.profile === null || ['Constrained Baseline', 'Baseline', 'Main', 'High'].includes(video.profile)
}

/** AAC has rare kinds (Main, SSR, LTP, xHE) that few players know. */
function isCommonSound({ audio }: VideoProbe): boolean {
  return audio?.codec !== 'aac' || audio.profile === null || ['LC', 'HE-AAC', 'HE-AACv2'].includes(audio.profile)
}

/** The largest picture of H.264's level 5.2, where the decoders of phones and televisions end. */
const LARGEST_H264 = { long: 4096, short: 2304 }

function fitsH264(width: number, height: number): boolean {
  return Math.max(width, height) <= LARGEST_H264.long && Math.min(width, height) <= LARGEST_H264.short
}

/** The size to transcode to: as shown, made smaller where H.264 ends, and even, as H.264 wants it. */
export function transcodedSize({ width, height }: { width: number; height: number }): {
  width: number
  height: number
} {
  const long = Math.max(width, height)
  const short = Math.min(width, height)
  const scale = Math.min(1, LARGEST_H264.long / long, LARGEST_H264.short / short)
  return { width: even(width * scale), height: even(height * scale) }
}

function even(length: number): number {
  return Math.max(2, 2 * Math.floor(length / 2))
}
