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
  /** Longest side of the result if it is transcoded. Default: as large as the video. */
  readonly maxSize?: number | undefined
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
  /** The video ends before the length that it declares: the result is what is left of it. */
  readonly cutOff: boolean
}

/**
 * Makes an MP4 that all browsers play. If remuxing fails, the video is transcoded. Throws a ProcessingError if the result
 * would lack video or audio that the original has.
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
    // Some streams cannot be remuxed but can be decoded. An exceeded limit would be exceeded again.
    if (!(error instanceof ProcessingError) || error.failure !== 'unreadable') throw error
    return attempt(order, { act: 'transcode' })
  }
}

async function attempt(order: ConversionRequest, plan: Conversion): Promise<Converted> {
  const { path, probe, outPath, limits } = order
  const outcome = await runFfmpeg(order, {
    reads: path,
    writes: outPath,
    encodesSeconds: probe.durationSeconds,
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
  return { act: plan.act, ...(await verifyConversion(order, outPath)) }
}

/** For 4K, x264's default lookahead takes 500 MB more memory without making the file smaller. */
const SHORT_LOOKAHEAD = ['-rc-lookahead', '10']
const FULL_HD_PIXELS = 1920 * 1088

function pictureArguments({ probe, ffmpeg, limits, maxSize }: ConversionRequest, plan: Conversion): string[] {
  const stream = ['-map', `0:${probe.video.index}`]
  // Type 6 is SEI: players do not need it.
  const filter = plan.act === 'rewrap' && plan.withoutFrameData ? ['-bsf:v', 'filter_units=remove_types=6'] : []
  if (plan.act === 'rewrap') return [...stream, '-c:v', 'copy', ...filter]
  return [
    ...stream,
    // `veryfast` takes about half the CPU time of `fast`. The lower CRF makes up for its coarser choices.
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-profile:v', 'high'],
    ...(probe.width * probe.height > FULL_HD_PIXELS ? SHORT_LOOKAHEAD : []),
    ...['-vf', transcodeFilters(probe, ffmpeg, maxSize)],
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
 * Verifies that a conversion is complete: video, and audio if there was any, both up to the end of the source. Throws a
 * ConversionLoss otherwise.
 */
export async function verifyConversion(
  source: Source,
  resultPath: string,
): Promise<{ probe: VideoProbe; cutOff: boolean }> {
  const probe = await probeVideo(resultPath, source)
  const { video, audio, durationSeconds: claimed } = source.probe
  const pictureEnd = await verifyStream(source, video, resultPath, probe.video)
  if (pictureEnd === null) throw new ConversionLoss('picture', { end: null, sourceEnd: null })
  const soundEnd = audio && (await verifyStream(source, audio, resultPath, probe.audio))

  const end = Math.max(pictureEnd, soundEnd ?? 0)
  return { probe, cutOff: claimed !== null && end < claimed - tolerance(claimed, video) }
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
