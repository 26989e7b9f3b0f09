import type { VideoProbe } from './probe.ts'

/**
 * The type of a playable video with its codecs, for a page to ask its browser about before it loads the video: old
 * phones lack AV1, VP9 or Opus. Null for what every browser plays (H.264 with AAC or MP3, or silent) and for what none
 * of them does.
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

const playedEverywhere = new Set(['aac', 'mp3'])

const soundCodecs: Record<string, string> = {
  aac: 'mp4a.40.2',
  mp3: 'mp3',
  opus: 'opus',
  flac: 'flac',
  vorbis: 'vorbis',
}

const pictureCodecs: Record<string, (probe: VideoProbe) => string> = {
  // High profile, level 4: asked for the sake of the sound beside it.
  h264: () => 'avc1.640028',
  vp8: () => 'vp8',
  vp9: probe => `vp09.${isTenBit(probe) ? '02' : '00'}.${levelOf(probe, vp9Levels)}.${bitsOf(probe)}`,
  av1: probe => `av01.0.${levelOf(probe, av1Levels)}M.${bitsOf(probe)}`,
}

/** The level for pictures up to so many pixels, at up to 30 and at more frames a second. */
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
