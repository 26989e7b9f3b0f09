/** Properties of a video, with mediabunny's codec names. */
export interface VideoFacts {
  readonly container: 'mp4' | 'm4v' | 'mov' | 'webm' | 'mkv' | 'mpegts' | 'other'
  readonly picture: Picture
  readonly sound: Sound | null
}

export interface Picture {
  readonly codec: string | null
  /** The codec with its profile and level, such as `avc1.640028`. */
  readonly codecString: string | null
  readonly codedWidth: number
  readonly codedHeight: number
}

export interface Sound {
  readonly codec: string | null
}

/**
 * - plays: browsers play the file as it is
 * - remux: the video track is copied into an MP4; the audio is copied or converted
 * - encode: the video track is encoded again
 */
export type VideoPlan = 'plays' | 'remux' | 'encode'

/** The same rules as on the server, which then has nothing left to convert. */
export function planFor(facts: VideoFacts): VideoPlan {
  if (playsAsItIs(facts)) return 'plays'
  return facts.container !== 'other' && pictureGoesIntoMp4(facts.picture) ? 'remux' : 'encode'
}

const playable: Partial<Record<VideoFacts['container'], { picture: string[]; sound: string[] }>> = {
  mp4: { picture: ['avc', 'vp9', 'av1'], sound: ['aac', 'mp3', 'opus', 'flac'] },
  webm: { picture: ['vp8', 'vp9', 'av1'], sound: ['opus', 'vorbis'] },
}

function playsAsItIs({ container, picture, sound }: VideoFacts): boolean {
  const codecs = playable[container]
  if (!codecs?.picture.includes(picture.codec ?? '') || !browsersDecode(picture)) return false
  return sound === null || codecs.sound.includes(sound.codec ?? '')
}

function pictureGoesIntoMp4(picture: Picture): boolean {
  return ['avc', 'vp9', 'av1'].includes(picture.codec ?? '') && browsersDecode(picture)
}

/** Whether every browser plays this audio inside an MP4. */
export function soundGoesIntoMp4({ codec }: Sound): boolean {
  return codec === 'aac' || codec === 'mp3'
}

/** HEVC is excluded: whether it plays depends on the browser, the system and the graphics card. */
function browsersDecode({ codec, codecString, codedWidth, codedHeight }: Picture): boolean {
  switch (codec) {
    case 'avc':
      return isCommonH264(codecString) && fitsH264(codedWidth, codedHeight)
    case 'vp9':
      return /^vp09\.0[02]\./.test(codecString ?? '')
    case 'av1':
      return codecString?.startsWith('av01.0.') ?? false
    default:
      return codec === 'vp8'
  }
}

/** Baseline, Main and High profile: 8 bits, 4:2:0. */
function isCommonH264(codecString: string | null): boolean {
  return /^avc[13]\.(42|4d|64)/i.test(codecString ?? '')
}

/** The largest frame of H.264 level 5.2, the limit of most phones and televisions. */
const LARGEST_H264 = { long: 4096, short: 2304 }

function fitsH264(width: number, height: number): boolean {
  return Math.max(width, height) <= LARGEST_H264.long && Math.min(width, height) <= LARGEST_H264.short
}

/** The encoded size: limited to what H.264 allows, and even, as H.264 requires. */
export function encodedSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LARGEST_H264.long / Math.max(width, height), LARGEST_H264.short / Math.min(width, height))
  return { width: even(width * scale), height: even(height * scale) }
}

function even(length: number): number {
  return Math.max(2, 2 * Math.floor(length / 2))
}

/** H.264 levels: the maximum number of 16 × 16 macroblocks per frame and per second. */
const levels = [
  { level: 0x1e, blocks: 1_620, perSecond: 40_500 },
  { level: 0x1f, blocks: 3_600, perSecond: 108_000 },
  { level: 0x20, blocks: 5_120, perSecond: 216_000 },
  { level: 0x28, blocks: 8_192, perSecond: 245_760 },
  { level: 0x32, blocks: 22_080, perSecond: 589_824 },
  { level: 0x33, blocks: 36_864, perSecond: 983_040 },
  { level: 0x34, blocks: 36_864, perSecond: 2_073_600 },
]

/** The codec string of H.264 baseline with the lowest sufficient level. */
export function baselineFor(width: number, height: number, framesPerSecond: number): string {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const fitting = levels.find(level => blocks <= level.blocks && blocks * framesPerSecond <= level.perSecond)
  return `avc1.4200${(fitting?.level ?? 0x34).toString(16)}`
}
