import { rm } from 'node:fs/promises'
import { ProcessingError } from '../errors.ts'
import { transcodeFilters } from './filters.ts'
import type { ConversionPlan } from './playback.ts'
import { measureStream, probeVideo, type VideoProbe } from './probe.ts'
import type { AudioStream, VideoStream } from './report.ts'
import { defaultVideoLimits, ffmpegError, inputFile, localFile, runFfmpeg, type VideoTools } from './run-ffmpeg.ts'

export interface ConversionRequest extends VideoTools {
  readonly path: string
  readonly probe: VideoProbe
  readonly plan: Conversion
  /** Path of the MP4; removed on failure. */
  readonly outPath: string
  /** Called with whole percentages; 100 after the result is verified. */
  readonly onProgress?: ((percent: number) => void) | undefined
}

export type Conversion = Exclude<ConversionPlan, { act: 'plays' }>

export interface Converted {
  readonly act: Conversion['act']
  /** Of the result. */
  readonly probe: VideoProbe
}

/**
 * Makes an MP4 that all browsers play. If remuxing fails, the video is transcoded. Throws a ProcessingError if the result
 * would lack video, audio or length of the original.
 */
export async function convertVideo(order: ConversionRequest): Promise<Converted> {
  try {
    const converted = await convertAsPlanned(order)
    order.onProgress?.(100)
    return converted
  } catch (error) {
    await rm(order.outPath, { force: true })
    throw error
  }
}

async function convertAsPlanned(order: ConversionRequest): Promise<Converted> {
  if (order.plan.act === 'transcode') return attempt(order, order.plan)
  try {
    return await attempt(order, order.plan)
  } catch (error) {
    // Some streams cannot be remuxed but can be decoded. Damaged files and exceeded limits would fail again.
    if (!isWorthTranscoding(error)) throw error
    return attempt(order, { act: 'transcode' })
  }
}

function isWorthTranscoding(error: unknown): boolean {
  return error instanceof ConversionLoss || (error instanceof ProcessingError && error.failure === 'crashed')
}

async function attempt(order: ConversionRequest, plan: Conversion): Promise<Converted> {
  const { path, probe, outPath, limits } = order
  const outcome = await runFfmpeg(order, {
    reads: path,
    writes: outPath,
    videoSeconds: probe.durationSeconds ?? undefined,
    onProgress: percentOf(probe, order.onProgress),
    args: [
      ...inputFile(path, limits),
      ...pictureArguments(order, plan),
      ...soundArguments(probe, plan),
      // One stream may start long before the other.
      ...['-max_muxing_queue_size', '4096'],
      ...['-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart', '-f', 'mp4'],
      ...['-y', localFile(outPath)],
    ],
  })
  if (!outcome.ok) throw ffmpegError('converted', outcome)
  return { act: plan.act, probe: await verifyConversion(order, outPath) }
}

/** For 4K, x264's default lookahead takes 500 MB more memory without making the file smaller. */
const SHORT_LOOKAHEAD = ['-rc-lookahead', '10']
const FULL_HD_PIXELS = 1920 * 1088

function pictureArguments({ probe, ffmpeg, limits }: ConversionRequest, plan: Conversion): string[] {
  const stream = ['-map', `0:${probe.video.index}`]
  // Type 6 is SEI: players do not need it.
  const filter = plan.act === 'rewrap' && plan.withoutFrameData ? ['-bsf:v', 'filter_units=remove_types=6'] : []
  if (plan.act === 'rewrap') return [...stream, '-c:v', 'copy', ...filter]
  return [
    ...stream,
    ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '23', '-profile:v', 'high'],
    ...(probe.width * probe.height > FULL_HD_PIXELS ? SHORT_LOOKAHEAD : []),
    ...['-vf', transcodeFilters(probe, ffmpeg)],
    // Screens do not show more than that (slow motion has 240), and broken timestamps may claim 90,000.
    ...['-fpsmax', '60'],
    ...['-threads', String(limits?.threads ?? defaultVideoLimits.threads)],
  ]
}

function soundArguments({ audio }: VideoProbe, plan: Conversion): string[] {
  if (!audio) return []
  const stream = ['-map', `0:${audio.index}`]
  if (plan.act === 'rewrap' && plan.sound === 'copy') return [...stream, '-c:a', 'copy']
  return [
    ...stream,
    ...['-c:a', 'aac', '-b:a', '128k'],
    ...(audio.channels === 1 ? [] : ['-ac', '2']),
    // Fills gaps with silence; otherwise audio and video would no longer be in sync.
    ...['-af', 'aresample=async=1'],
  ]
}

function percentOf({ durationSeconds }: VideoProbe, report: ConversionRequest['onProgress']) {
  if (!durationSeconds || !report) return undefined
  let last = 0
  return (seconds: number) => {
    const percent = Math.min(99, Math.floor((100 * seconds) / durationSeconds))
    if (percent === last) return
    last = percent
    report(percent)
  }
}

/** The conversion lost part of the video or audio. */
export class ConversionLoss extends ProcessingError {
  constructor(what: 'picture' | 'sound', details: { end: number | null; sourceEnd: number | null }) {
    super('unreadable', `The video could not be converted: some of its ${what} would have been lost.`, {
      cause: new Error(`The ${what} ends at ${details.end} s, that of the source at ${details.sourceEnd} s`),
    })
  }
}

interface Source extends VideoTools {
  readonly path: string
  readonly probe: VideoProbe
}

/**
 * Verifies that a conversion is complete: video, and audio if there was any, both up to the end. Throws a ConversionLoss
 * otherwise, and another ProcessingError for a source that is shorter than it claims.
 */
export async function verifyConversion(source: Source, resultPath: string): Promise<VideoProbe> {
  const result = await probeVideo(resultPath, source)
  const { video, audio, durationSeconds: claimed } = source.probe
  const pictureEnd = await verifyStream(source, video, resultPath, result.video)
  if (pictureEnd === null) throw new ConversionLoss('picture', { end: null, sourceEnd: null })
  const soundEnd = audio && (await verifyStream(source, audio, resultPath, result.audio))

  const end = Math.max(pictureEnd, soundEnd ?? 0)
  if (claimed !== null && end < claimed - tolerance(claimed, video)) {
    throw new ProcessingError('unreadable', 'The video could not be converted: it seems to be cut off.', {
      cause: new Error(`It claims to last ${claimed} s, and ends after ${end} s`),
    })
  }
  return result
}

/** When the stream ends; null if it is empty in both source and result. */
async function verifyStream(
  source: Source,
  wanted: VideoStream | AudioStream,
  resultPath: string,
  made: VideoStream | AudioStream | null,
): Promise<number | null> {
  const { video, durationSeconds: claimed } = source.probe
  const end = made && (await measureStream(resultPath, made.index, source))
  if (claimed !== null && end !== null && Math.abs(end - claimed) <= tolerance(claimed, video)) return end

  // The declared duration may be wrong, or one stream shorter than the other, so the source must be measured.
  const sourceEnd = await measureStream(source.path, wanted.index, source)
  if (sourceEnd === null) return end
  if (end === null || Math.abs(end - sourceEnd) > tolerance(sourceEnd, video)) {
    throw new ConversionLoss(wanted.index === video.index ? 'picture' : 'sound', { end, sourceEnd })
  }
  return end
}

/** 2 % or a second; measuring can miss four frames, which in a time lapse are longer than that. */
function tolerance(seconds: number, { fps }: VideoStream): number {
  return Math.max(1, seconds / 50, fps ? 4 / fps : 0)
}
