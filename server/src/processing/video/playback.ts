import type { Container, VideoProbe } from './probe.ts'

export type ConversionPlan =
  /** Browsers play the file as it is. */
  | { readonly act: 'plays' }
  /** Remux: the video stream is copied into an MP4; the audio too, if browsers play it. */
  | {
      readonly act: 'rewrap'
      readonly sound: 'copy' | 'convert' | 'none'
      /** Leaves out what cameras write between the frames of H.264: camcorders put the position there. */
      readonly withoutFrameData?: boolean
    }
  | { readonly act: 'transcode' }

/**
 * What must be done so that all browsers play a video. An MP4 with its index at the end is fine: browsers fetch the end
 * first with a range request.
 */
export function planConversion(probe: VideoProbe): ConversionPlan {
  if (playsAsItIs(probe)) return { act: 'plays' }
  if (!canRewrap.has(probe.container) || !pictureGoesIntoMp4(probe)) return { act: 'transcode' }
  if (!probe.audio) return { act: 'rewrap', sound: 'none' }
  return { act: 'rewrap', sound: soundGoesIntoMp4(probe) ? 'copy' : 'convert' }
}

/** What must be done so that the oldest phones play a video: H.264 with AAC or MP3 in an MP4. */
export function planCompatibleConversion(probe: VideoProbe): ConversionPlan {
  const plan = planConversion(probe)
  if (probe.video.codec !== 'h264') return { act: 'transcode' }
  if (plan.act !== 'plays' || !probe.audio || soundGoesIntoMp4(probe)) return plan
  return { act: 'rewrap', sound: 'convert' }
}

/** The same, but always a new file: no metadata of the source is copied into it. */
export function planCopyWithoutMetadata(probe: VideoProbe): Exclude<ConversionPlan, { act: 'plays' }> {
  const plan = planCompatibleConversion(probe)
  if (plan.act === 'plays') return { act: 'rewrap', sound: probe.audio ? 'copy' : 'none', withoutFrameData: true }
  return plan.act === 'rewrap' ? { ...plan, withoutFrameData: true } : plan
}

/** Not Ogg: browsers have dropped Theora, its usual video codec. */
const playable: Partial<Record<Container, { picture: string[]; sound: string[] }>> = {
  mp4: { picture: ['h264', 'vp9', 'av1'], sound: ['aac', 'mp3', 'opus', 'flac'] },
  webm: { picture: ['vp8', 'vp9', 'av1'], sound: ['opus', 'vorbis'] },
}

function playsAsItIs(probe: VideoProbe): boolean {
  const formats = playable[probe.container]
  if (!formats?.picture.includes(probe.video.codec) || !browsersDecode(probe)) return false
  return !probe.audio || (formats.sound.includes(probe.audio.codec) && isCommonSound(probe))
}

/** Not AVI: it has no timestamps per frame, so copied H.264 may play out of order. */
const canRewrap = new Set<Container>(['mp4', 'mov', 'm4v', '3gp', 'mkv', 'webm', 'mpegts', 'flv'])

/**
 * Includes interlaced H.264 (camcorders), which browsers play with combing artefacts. That is accepted, since transcoding
 * would take hours and lose quality.
 */
function pictureGoesIntoMp4(probe: VideoProbe): boolean {
  return ['h264', 'vp9', 'av1'].includes(probe.video.codec) && browsersDecode(probe)
}

function soundGoesIntoMp4(probe: VideoProbe): boolean {
  return ['aac', 'mp3'].includes(probe.audio?.codec ?? '') && isCommonSound(probe)
}

const EIGHT_BIT = ['yuv420p', 'yuvj420p', 'yuva420p']
const TEN_BIT = 'yuv420p10le'

/** Not HEVC: whether it plays depends on the browser, the system and the graphics card. */
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

/** Few players support the rare AAC profiles (Main, SSR, LTP, xHE). */
function isCommonSound({ audio }: VideoProbe): boolean {
  return audio?.codec !== 'aac' || audio.profile === null || ['LC', 'HE-AAC', 'HE-AACv2'].includes(audio.profile)
}

/** The limit of H.264 level 5.2, which decoders of phones and TVs support. */
const LARGEST_H264 = { long: 4096, short: 2304 }

function fitsH264(width: number, height: number): boolean {
  return Math.max(width, height) <= LARGEST_H264.long && Math.min(width, height) <= LARGEST_H264.short
}

/** The size to transcode to: within the limits of H.264 and `maxSize`, and even, as H.264 requires. */
export function transcodedSize(
  { width, height }: { width: number; height: number },
  maxSize: number = LARGEST_H264.long,
): { width: number; height: number } {
  const long = Math.max(width, height)
  const short = Math.min(width, height)
  const scale = Math.min(1, maxSize / long, LARGEST_H264.long / long, LARGEST_H264.short / short)
  return { width: even(width * scale), height: even(height * scale) }
}

function even(length: number): number {
  return Math.max(2, 2 * Math.floor(length / 2))
}

/**
 * MIME type with codecs, which a page passes to `canPlayType` before it loads the video, since old phones lack AV1, VP9 or
 * Opus. Null for what all browsers play (H.264 with AAC, MP3 or no audio) and for what none plays.
 */
export function playbackType(probe: VideoProbe): string | null {
  const { container, video, audio } = probe
  if (container !== 'mp4' && container !== 'webm') return null
  const sound = audio ? soundCodecs[audio.codec] : undefined
  if (audio && sound === undefined) return null
  if (video.codec === 'h264' && (!audio || playedEverywhere.has(audio.codec))) return null
  const picture = pictureCodecs[video.codec]?.(probe)
  if (picture === undefined) return null
  return `video/${container}; codecs="${[picture, ...(sound === undefined ? [] : [sound])].join(', ')}"`
}

/**
 * MIME type with codecs of an original in HEVC, for the time until it is converted: Safari plays it, and so do other
 * browsers where the system or the graphics card decodes it. Null for what they play as it is, and for what none plays.
 */
export function originalPlaybackType({ container, video, audio }: VideoProbe): string | null {
  if (!['mp4', 'mov', 'm4v'].includes(container) || video.codec !== 'hevc' || video.pixelFormat === null) return null
  const profile = { yuv420p: '1.6', yuvj420p: '1.6', yuv420p10le: '2.4' }[video.pixelFormat]
  const sound = audio ? soundCodecs[audio.codec] : ''
  if (profile === undefined || sound === undefined) return null
  // Level 4.1 is Full HD at 60 frames per second, level 5.1 is 4K.
  const level = video.codedWidth * video.codedHeight <= 2_228_224 ? 'L123' : 'L153'
  // "video/mp4" for MOV, too: browsers parse both alike, but do not admit it for "video/quicktime".
  const codecs = [`${video.tag === 'hev1' ? 'hev1' : 'hvc1'}.${profile}.${level}.B0`, ...(sound ? [sound] : [])]
  return `video/mp4; codecs="${codecs.join(', ')}"`
}

const playedEverywhere = new Set(['aac', 'mp3'])

const soundCodecs: Record<string, string> = {
  aac: 'mp4a.40.2',
  mp3: 'mp3',
  opus: 'opus',
  flac: 'flac',
  vorbis: 'vorbis',
}

const pictureCodecs: Record<string, (probe: VideoProbe) => string> = {
  // High profile, level 4. Here only the audio codec matters.
  h264: () => 'avc1.640028',
  vp8: () => 'vp8',
  vp9: probe => `vp09.${isTenBit(probe) ? '02' : '00'}.${levelOf(probe, vp9Levels)}.${bitsOf(probe)}`,
  av1: probe => `av01.0.${levelOf(probe, av1Levels)}M.${bitsOf(probe)}`,
}

/** The level by number of pixels, for up to 30 frames per second and for more. */
type Level = readonly [pixels: number, calm: string, fast: string]

const vp9Levels: readonly Level[] = [
  [245_760, '21', '30'],
  [552_960, '30', '31'],
  [983_040, '31', '40'],
  [2_228_224, '40', '41'],
  [8_912_896, '50', '51'],
  [Number.POSITIVE_INFINITY, '60', '61'],
]

const av1Levels: readonly Level[] = [
  [278_784, '01', '04'],
  [665_856, '04', '05'],
  [1_065_024, '05', '08'],
  [2_359_296, '08', '09'],
  [8_912_896, '12', '13'],
  [Number.POSITIVE_INFINITY, '16', '17'],
]

function levelOf({ video }: VideoProbe, levels: readonly Level[]): string {
  const pixels = video.codedWidth * video.codedHeight
  const [, calm = '', fast = ''] = levels.find(([most]) => pixels <= most) ?? []
  return (video.fps ?? 0) > 31 ? fast : calm
}

function isTenBit({ video }: VideoProbe): boolean {
  return video.pixelFormat?.includes('10') ?? false
}

function bitsOf(probe: VideoProbe): string {
  return isTenBit(probe) ? '10' : '08'
}
