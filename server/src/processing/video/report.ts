/**
 * Parsed output of `ffmpeg -i file`. The text is for people, but its format has been stable for years; ffprobe, which
 * writes JSON, is not part of every ffmpeg package.
 */
export interface FfmpegReport {
  /** ffmpeg's names for the container's family, such as "mov,mp4,m4a,3gp,3g2,mj2". */
  readonly demuxer: string
  /** Null if the file does not declare it. */
  readonly durationSeconds: number | null
  readonly video: VideoStream[]
  readonly audio: AudioStream[]
}

interface Stream {
  /** Stream index in the file. */
  readonly index: number
  readonly codec: string
  readonly profile: string | null
  /** FourCC of the codec. */
  readonly tag: string | null
  readonly isDefault: boolean
}

export interface VideoStream extends Stream {
  /** As coded: not rotated or scaled. */
  readonly codedWidth: number
  readonly codedHeight: number
  /** Width of a pixel divided by its height. */
  readonly pixelAspect: number
  /** Degrees clockwise by which the picture must be rotated. */
  readonly rotation: number
  readonly pixelFormat: string | null
  readonly fullRange: boolean
  readonly interlaced: boolean
  readonly colours: Colours | null
  readonly fps: number | null
}

export interface Colours {
  readonly matrix: string
  readonly primaries: string
  readonly transfer: string
}

export interface AudioStream extends Stream {
  readonly channels: number | null
}

/** Null if the text contains no report. */
export function parseReport(stderr: string): FfmpegReport | null {
  const demuxer = /^Input #0, ([\w,]+), from /m.exec(stderr)?.[1]
  if (!demuxer) return null
  const streams = splitStreams(stderr)
  return {
    demuxer,
    durationSeconds: parseDuration(stderr),
    video: streams.filter(isMovingPicture).map(parseVideo),
    audio: streams.filter(stream => stream.kind === 'Audio').map(parseAudio),
  }
}

interface StreamText {
  readonly index: number
  readonly kind: string
  /** The comma-separated parts of its line. */
  readonly parts: string[]
  /** The line and the lines that belong to it. */
  readonly all: string
}

// Exactly two spaces: tags of the file are indented further, so that none can imitate a stream.
const STREAM = /^ {2}Stream #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\([^)]*\))?: (\w+): (.*)$/

function splitStreams(stderr: string): StreamText[] {
  return stderr.split(/^(?= {2}Stream #0:)/m).flatMap(all => {
    const [, index, kind, description] = STREAM.exec(all.split('\n', 1)[0] ?? '') ?? []
    if (index === undefined || kind === undefined || description === undefined) return []
    return [{ index: Number(index), kind, parts: splitParts(description), all }]
  })
}

/** Splits at commas outside of brackets. */
function splitParts(description: string): string[] {
  return description.match(/(?:\([^)]*\)|\[[^\]]*\]|[^,([])+/g)?.map(part => part.trim()) ?? []
}

function isMovingPicture({ kind, parts }: StreamText): boolean {
  return kind === 'Video' && !/\((attached pic|timed thumbnails|still image)\)/.test(parts.at(-1) ?? '')
}

function parseDuration(stderr: string): number | null {
  // An estimate can be wrong by any factor.
  if (/Estimating duration from bitrate/.test(stderr)) return null
  const [, hours, minutes, seconds] = /^ {2}Duration: (\d+):(\d+):(\d+\.\d+)/m.exec(stderr) ?? []
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return total > 0 ? total : null
}

function parseStream({ index, parts }: StreamText): Stream {
  const name = parts[0] ?? ''
  const brackets = [...name.matchAll(/\(([^()]*)\)/g)].map(([, inside = '']) => inside)
  return {
    index,
    codec: /^\S+/.exec(name)?.[0] ?? 'none',
    // The decoder's name may come before it.
    profile: brackets.findLast(inside => !inside.includes(' / 0x')) ?? null,
    tag: /^(.{4}) \/ 0x/.exec(brackets.find(inside => inside.includes(' / 0x')) ?? '')?.[1] ?? null,
    isDefault: /\(default\)/.test(parts.at(-1) ?? ''),
  }
}

function parseVideo(stream: StreamText): VideoStream {
  const { parts, all } = stream
  const [, width, height] = /^(\d+)x(\d+)/.exec(parts.find(part => /^\d+x\d+/.test(part)) ?? '') ?? []
  const [, pixelFormat, notes = ''] = /^([a-z]\w*)(?:\((.*)\))?$/.exec(parts[1] ?? '') ?? []
  const about = notes.split(', ')
  return {
    ...parseStream(stream),
    codedWidth: Number(width ?? 0),
    codedHeight: Number(height ?? 0),
    pixelAspect: parsePixelAspect(parts),
    rotation: parseRotation(all),
    pixelFormat: pixelFormat && pixelFormat !== 'none' ? pixelFormat : null,
    fullRange: about.includes('pc') || (pixelFormat ?? '').startsWith('yuvj'),
    interlaced: / first$| first \(swapped\)$/.test(about.at(-1) ?? ''),
    colours: parseColours(about),
    fps: parseFps(parts),
  }
}

/** The container's value (a separate part) takes precedence over the codec's (in brackets after the size). */
function parsePixelAspect(parts: string[]): number {
  const own = parts.find(part => part.startsWith('SAR ')) ?? parts.find(part => /^\d+x\d+ \[SAR /.test(part)) ?? ''
  const [, wide, high] = /SAR (\d+):(\d+)/.exec(own) ?? []
  const aspect = Number(wide) / Number(high)
  // Other values come from broken headers.
  return aspect >= 0.2 && aspect <= 5 ? aspect : 1
}

function parseRotation(all: string): number {
  const counterClockwise = Number(/^ +displaymatrix: rotation of (-?[\d.]+) degrees/m.exec(all)?.[1] ?? 0)
  return ((-Math.round(counterClockwise) % 360) + 360) % 360
}

function parseColours(about: string[]): Colours | null {
  const named = about.find(
    note => /^[\w.-]+(\/[\w.-]+\/[\w.-]+)?$/.test(note) && !['tv', 'pc', 'progressive'].includes(note),
  )
  if (!named) return null
  // A single name applies to all three.
  const [matrix = 'unknown', primaries = matrix, transfer = matrix] = named.split('/')
  return { matrix, primaries, transfer }
}

function parseFps(parts: string[]): number | null {
  for (const unit of ['fps', 'tbr']) {
    const [, number, thousands] =
      parts.map(part => new RegExp(`^([\\d.]+)(k?) ${unit}\\b`).exec(part)).find(match => match !== null) ?? []
    if (number) return Number(number) * (thousands ? 1000 : 1)
  }
  return null
}

function parseAudio(stream: StreamText): AudioStream {
  const layout = stream.parts[2] ?? ''
  return { ...parseStream(stream), channels: countChannels(layout) }
}

function countChannels(layout: string): number | null {
  const named: Record<string, number> = { mono: 1, stereo: 2, downmix: 2, quad: 4 }
  const [, counted] = /^(\d+) channels/.exec(layout) ?? []
  const [, main, low] = /^(\d)\.(\d)/.exec(layout) ?? []
  if (counted) return Number(counted)
  if (main && low) return Number(main) + Number(low)
  return named[layout] ?? null
}
