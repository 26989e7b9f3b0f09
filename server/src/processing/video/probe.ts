import { open, stat } from 'node:fs/promises'
import { ProcessingError } from '../errors.ts'
import { boxesIn, openWindow, readHead } from '../structure/file-window.ts'
import { type AudioStream, type FfmpegReport, parseReport, type VideoStream } from './report.ts'
import { ffmpegError, inputFile, MAX_VIDEO_PIXELS, runFfmpeg, type VideoTools } from './run-ffmpeg.ts'

export interface VideoProbe {
  readonly container: Container
  readonly durationSeconds: number | null
  /** Display size: upright, with square pixels. */
  readonly width: number
  readonly height: number
  /** Degrees clockwise by which players rotate the coded picture. */
  readonly rotation: number
  readonly video: VideoStream
  /** The selected audio stream; null for a video without audio. */
  readonly audio: AudioStream | null
}

export type Container = 'mp4' | 'm4v' | 'mov' | '3gp' | 'webm' | 'mkv' | 'ogg' | 'mpegts' | 'flv' | 'other'

/** Reads the headers of a video. Throws a ProcessingError if it is not a readable video. */
export async function probeVideo(path: string, tools: VideoTools): Promise<VideoProbe> {
  const outcome = await runFfmpeg(tools, {
    reads: path,
    args: ['-loglevel', 'info', ...inputFile(path, tools.limits)],
  })
  const report = parseReport(outcome.stderr)
  // ffmpeg always fails here, since it has no output; a report means that it could read the file.
  if (!report) throw ffmpegError('read', outcome)

  const video = pickPicture(report, outcome.stderr)
  const audio = pickSound(report)
  const declared = (await isDoubtful(path, report)) ? null : report.durationSeconds
  const streams = [video.index, ...(audio && audio.codec !== 'none' ? [audio.index] : [])]
  const durationSeconds = declared ?? (await measureStreams(path, streams, tools))
  const container = nameContainer(report.demuxer, await readHead(path, 64))
  return { container, durationSeconds, ...displaySize(video), rotation: video.rotation, video, audio }
}

/** Less than any encoder writes. */
const FEWEST_BYTES_PER_SECOND = 500
const A_DAY = 86_400

/** Whether the declared duration may be wrong and must be measured. */
async function isDoubtful(path: string, { demuxer, durationSeconds }: FfmpegReport): Promise<boolean> {
  if (durationSeconds === null) return true
  if (durationSeconds > A_DAY && (await stat(path)).size / durationSeconds < FEWEST_BYTES_PER_SECOND) return true
  return demuxer.startsWith('mov,') && (await isFragmented(path))
}

/**
 * Whether an MP4 is fragmented (`mvex` in its index). Recorders write the header of such a file before they know its
 * duration, and set that to zero, 0xffffffff or the length of the first fragment.
 */
export async function isFragmented(path: string): Promise<boolean> {
  await using file = await open(path)
  const { size } = await file.stat()
  const window = openWindow(file)
  for await (const box of boxesIn(window, 0, size)) {
    if (box.type !== 'moov') continue
    for await (const child of boxesIn(window, box.start, box.end)) if (child.type === 'mvex') return true
    return false
  }
  return false
}

function pickPicture({ video, audio }: FfmpegReport, stderr: string): VideoStream {
  const picture = video.find(stream => stream.isDefault) ?? video[0]
  if (!picture && audio.length > 0) throw unreadable('The file holds sound, but no moving picture.')
  const pixels = picture ? picture.codedWidth * picture.codedHeight : 0
  // A decoder that rejects the size reports none.
  if (pixels > MAX_VIDEO_PIXELS || (pixels === 0 && /Picture size \S+ is invalid/.test(stderr))) {
    throw new ProcessingError('too_large', 'The video could not be read: its picture is too large.')
  }
  if (!picture || pixels === 0) throw unreadable('The video could not be read: no picture was found in it.')
  if (isProtected(picture)) throw unreadable('The video is copy-protected: it plays only where it was bought.')
  return picture
}

/** iPhones add a second audio stream in a proprietary format. */
function pickSound({ audio }: FfmpegReport): AudioStream | null {
  const readable = audio.filter(stream => stream.codec !== 'none' && !isProtected(stream))
  return readable.find(stream => stream.isDefault) ?? readable[0] ?? audio[0] ?? null
}

function isProtected({ tag }: { tag: string | null }): boolean {
  return tag !== null && ['encv', 'enca', 'drmi', 'drms'].includes(tag)
}

function unreadable(sentence: string): ProcessingError {
  return new ProcessingError('unreadable', sentence)
}

/** For non-square pixels browsers enlarge one dimension; they never shrink the other. */
function displaySize(video: VideoStream): { width: number; height: number } {
  const { codedWidth, codedHeight, pixelAspect, rotation } = video
  const width = Math.round(codedWidth * Math.max(pixelAspect, 1))
  const height = Math.round(codedHeight / Math.min(pixelAspect, 1))
  return rotation % 180 === 90 ? { width: height, height: width } : { width, height }
}

/** ffmpeg reports families of containers; the first bytes show which one it is. */
function nameContainer(demuxer: string, start: Buffer): Container {
  if (demuxer.startsWith('mov,')) {
    // Without a brand it is an old QuickTime file.
    const brand = start.toString('latin1', 4, 8) === 'ftyp' ? start.toString('latin1', 8, 12) : 'qt  '
    if (brand === 'qt  ') return 'mov'
    if (brand.startsWith('M4V')) return 'm4v'
    return brand.startsWith('3g') ? '3gp' : 'mp4'
  }
  if (demuxer.startsWith('matroska')) return start.includes('webm') ? 'webm' : 'mkv'
  return demuxer === 'ogg' || demuxer === 'mpegts' || demuxer === 'flv' ? demuxer : 'other'
}

/** {@link measureStreams} of one. */
export function measureStream(path: string, index: number, tools: VideoTools): Promise<number | null> {
  return measureStreams(path, [index], tools)
}

/**
 * When the last of these streams ends, in seconds, found by reading the whole file without decoding; null if they are
 * empty. The result can be short by a few frames.
 */
async function measureStreams(path: string, indexes: readonly number[], tools: VideoTools): Promise<number | null> {
  const { seconds } = await runFfmpeg(tools, {
    reads: path,
    args: [
      ...inputFile(path, tools.limits),
      ...indexes.flatMap(index => ['-map', `0:${index}`]),
      ...['-c', 'copy', '-f', 'null', '-'],
    ],
  })
  return seconds === null || seconds === 0 ? null : seconds
}
