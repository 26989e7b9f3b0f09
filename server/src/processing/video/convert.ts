import { rm } from 'node:fs/promises'
import { ProcessingError } from '../errors.ts'
import type { ConversionPlan } from './decide.ts'
import { ffmpegError } from './explain.ts'
import { transcodeFilters } from './filters.ts'
import { inputFile, localFile } from './input.ts'
import type { VideoProbe } from './probe.ts'
import { defaultVideoLimits, runFfmpeg, type VideoTools } from './run-ffmpeg.ts'
import { ConversionLoss, verifyConversion } from './verify.ts'

export interface ConversionRequest extends VideoTools {
  readonly path: string
  readonly probe: VideoProbe
  readonly plan: Conversion
  /** Where the MP4 goes. A failure leaves nothing there. */
  readonly outPath: string
  /** Called with whole percents; 100 comes once the result is verified. */
  readonly onProgress?: ((percent: number) => void) | undefined
}

export type Conversion = Exclude<ConversionPlan, { act: 'plays' }>

export interface Converted {
  readonly act: Conversion['act']
  /** What was written. */
  readonly probe: VideoProbe
}

/**
 * Makes an MP4 that every browser plays. A file whose streams can't be re-wrapped after all is transcoded. Throws a
 * ProcessingError when the result would lack picture, sound or length of the original.
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
    // Some streams break a wrapper's rules and still decode; a damaged file, or a limit, would be the same again.
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
      // One stream may begin long before the other.
      ...['-max_muxing_queue_size', '4096'],
      ...['-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart', '-f', 'mp4'],
      ...['-y', localFile(outPath)],
    ],
  })
  if (!outcome.ok) throw ffmpegError('converted', outcome)
  return { act: plan.act, probe: await verifyConversion(order, outPath) }
}

/** Encoding 4K with x264's usual look ahead takes half a gigabyte more, for a file no smaller. */
const SHORT_LOOKAHEAD = ['-rc-lookahead', '10']
const FULL_HD_PIXELS = 1920 * 1088

function pictureArguments({ probe, ffmpeg, limits }: ConversionRequest, plan: Conversion): string[] {
  const stream = ['-map', `0:${probe.video.index}`]
  if (plan.act === 'rewrap') return [...stream, '-c:v', 'copy']
  return [
    ...stream,
    ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '23', '-profile:v', 'high'],
    ...(probe.width * probe.height > FULL_HD_PIXELS ? SHORT_LOOKAHEAD : []),
    ...['-vf', transcodeFilters(probe, ffmpeg)],
    // Slow motion at 240 pictures a second is more than screens show; and a broken clock may claim 90,000.
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
    // Fills gaps with silence, or the sound would run ahead of the picture from there on.
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
