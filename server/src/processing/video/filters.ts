import { transcodedSize } from './decide.ts'
import type { Ffmpeg } from './find-ffmpeg.ts'
import type { VideoProbe } from './probe.ts'
import type { VideoStream } from './report.ts'

/** From this height on players take a picture that doesn't name its colours for BT.709, below for BT.601. */
const HIGH_DEFINITION = 720

/** For pictures whose colours are of the other kind, such as the Motion JPEG of old cameras. */
const BT709 = 'setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709'

/** Filters, as ffmpeg writes them, from the decoded (and, by ffmpeg itself, turned) picture to the one to encode. */
export function transcodeFilters(probe: VideoProbe, ffmpeg: Ffmpeg): string {
  const { width, height } = transcodedSize(probe)
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

/** Filters that let one frame of every half second through. */
const THINNED = "select='isnan(prev_selected_t)+gte(t-prev_selected_t,0.5)'"

/** Filters that write how bright and how rich in contrast each frame is to the error output, for the search for a poster. */
export const measuringFilters = [
  THINNED,
  'scale=128:128',
  'format=yuv420p',
  'signalstats',
  "metadata=mode=print:file='pipe\\:2'",
].join(',')

/** Filters that let one of the frames through that {@link measuringFilters} measured: the one with this number. */
export function selectMeasuredFrame(index: number): string {
  return `${THINNED},select='eq(n,${index})'`
}

/** Filters that make a frame into a picture: in RGB, so that a JPEG of it has the right colours. */
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
 * HDR brought down to what every screen shows; without, it would look pale and grey. White paper has 203 cd/m² in HDR.
 * The curve leaves everything up to a third of that as it is and bends what is brighter, so that skies keep their clouds.
 */
function toneMapFilters(video: VideoStream, { toneMaps }: Ffmpeg): string[] {
  if (!isHdr(video) || !toneMaps) return []
  return [
    // Spelled out, for files that name the curve and not the rest.
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

/** How the frame's YUV is to be read. Most files don't say; players then go by the size, and so do we. */
function matrixOf(video: VideoStream, ffmpeg: Ffmpeg): string {
  if (isHdr(video) && ffmpeg.toneMaps) return 'bt709'
  if (isRgb(video)) return 'bt601' // what ffmpeg made of it in format=yuv420p
  return matrices[video.colours?.matrix ?? ''] ?? (video.codedHeight >= HIGH_DEFINITION ? 'bt709' : 'bt601')
}

function isRgb({ pixelFormat }: VideoStream): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8)/.test(pixelFormat ?? '')
}
