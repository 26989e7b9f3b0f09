import type { Ffmpeg } from './find-ffmpeg.ts'
import { transcodedSize } from './playback.ts'
import type { VideoProbe } from './probe.ts'
import type { VideoStream } from './report.ts'

/** For video without colour information players assume BT.709 from this height on, and BT.601 below. */
const HIGH_DEFINITION = 720

/** For video with other colours than its height implies, such as the Motion JPEG of old cameras. */
const BT709 = 'setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709'

/** ffmpeg filters between decoding and encoding. ffmpeg applies the rotation itself. */
export function transcodeFilters(probe: VideoProbe, ffmpeg: Ffmpeg, maxSize?: number): string {
  const { width, height } = transcodedSize(probe, maxSize)
  return [
    // Only frames that are marked as interlaced are touched.
    ...(probe.video.interlaced ? ['yadif=deint=interlaced'] : []),
    ...toneMapFilters(probe.video, ffmpeg),
    ...(height >= HIGH_DEFINITION && matrixOf(probe.video, ffmpeg) === 'bt601'
      ? [`scale=${width}:${height}:out_range=tv:in_color_matrix=bt601:out_color_matrix=bt709`, BT709]
      : [`scale=${width}:${height}:out_range=tv`]),
    'setsar=1',
    'format=yuv420p',
  ].join(',')
}

/** Selects one frame every half second. */
const THINNED = "select='isnan(prev_selected_t)+gte(t-prev_selected_t,0.5)'"

/** Print brightness and contrast of each frame to stderr, for choosing a poster. */
export const measuringFilters = [
  THINNED,
  'scale=128:128',
  'format=yuv420p',
  'signalstats',
  "metadata=mode=print:file='pipe\\:2'",
].join(',')

/** Selects a frame by its index among those measured by {@link measuringFilters}. */
export function selectMeasuredFrame(index: number): string {
  return `${THINNED},select='eq(n,${index})'`
}

/** Convert a frame to a picture in RGB, so that the JPEG has the right colours. */
export function frameFilters(probe: VideoProbe, ffmpeg: Ffmpeg, select = 'null'): string {
  const { video, width, height } = probe
  return [
    ...(video.interlaced ? ['yadif=deint=interlaced'] : []),
    select,
    ...toneMapFilters(video, ffmpeg),
    'format=yuv420p',
    `scale=${width}:${height}:in_color_matrix=${matrixOf(video, ffmpeg)}`,
    'setsar=1',
    'format=rgb24',
  ].join(',')
}

const hdrTransfers = ['smpte2084', 'arib-std-b67']

function isHdr({ colours }: VideoStream): boolean {
  return colours !== null && hdrTransfers.includes(colours.transfer)
}

/**
 * Tone-maps HDR, which would otherwise look pale. Reference white in HDR is 203 cd/m². The curve is linear up to a third
 * of that and compresses brighter values, so that highlights keep their detail.
 */
function toneMapFilters(video: VideoStream, { toneMaps }: Ffmpeg): string[] {
  if (!isHdr(video) || !toneMaps) return []
  return [
    // Explicit, for files that specify only the transfer function.
    `zscale=tin=${video.colours?.transfer}:pin=bt2020:min=bt2020nc:t=linear:npl=203`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=tonemap=mobius:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
    'format=yuv420p',
  ]
}

const matrices: Record<string, string> = {
  bt709: 'bt709',
  smpte170m: 'bt601',
  bt470bg: 'bt601',
  fcc: 'fcc',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
}

/** The YUV matrix. Most files do not specify it; then it is chosen by size, as players do. */
function matrixOf(video: VideoStream, ffmpeg: Ffmpeg): string {
  if (isHdr(video) && ffmpeg.toneMaps) return 'bt709'
  if (isRgb(video)) return 'bt601' // ffmpeg converted it with BT.601 in format=yuv420p
  return matrices[video.colours?.matrix ?? ''] ?? (video.codedHeight >= HIGH_DEFINITION ? 'bt709' : 'bt601')
}

function isRgb({ pixelFormat }: VideoStream): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8)/.test(pixelFormat ?? '')
}
