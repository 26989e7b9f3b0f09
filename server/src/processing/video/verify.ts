import { ProcessingError } from '../errors.ts'
import { measureStream } from './measure.ts'
import { probeVideo, type VideoProbe } from './probe.ts'
import type { AudioStream, VideoStream } from './report.ts'
import type { VideoTools } from './run-ffmpeg.ts'

/** A conversion that is not whole. */
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
 * Makes sure that a conversion has lost nothing: the picture is there, the sound if there was any, and both go on to
 * the end. Throws a Loss otherwise, and another ProcessingError for a source that ends before the time it claims.
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

/** When the stream ends; null when both source and result hold nothing of it. */
async function verifyStream(
  source: Source,
  wanted: VideoStream | AudioStream,
  resultPath: string,
  made: VideoStream | AudioStream | null,
): Promise<number | null> {
  const { video, durationSeconds: claimed } = source.probe
  const end = made && (await measureStream(resultPath, made.index, source))
  if (claimed !== null && end !== null && Math.abs(end - claimed) <= tolerance(claimed, video)) return end

  // The source's claim may be wrong, or one stream shorter than the other: only reading it through tells.
  const sourceEnd = await measureStream(source.path, wanted.index, source)
  if (sourceEnd === null) return end
  if (end === null || Math.abs(end - sourceEnd) > tolerance(sourceEnd, video)) {
    throw new ConversionLoss(wanted.index === video.index ? 'picture' : 'sound', { end, sourceEnd })
  }
  return end
}

/** A fiftieth or a second; but measuring can miss four frames, which in a time lapse are more than that. */
function tolerance(seconds: number, { fps }: VideoStream): number {
  return Math.max(1, seconds / 50, fps ? 4 / fps : 0)
}
