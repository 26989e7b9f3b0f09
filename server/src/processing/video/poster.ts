import { rm, stat } from 'node:fs/promises'
import { explainFailure } from './explain.ts'
import { bestFrameFilters, frameFilters } from './filters.ts'
import { inputFile, localFile } from './input.ts'
import type { VideoProbe } from './probe.ts'
import { type FfmpegOutcome, runFfmpeg, type VideoTools } from './run-ffmpeg.ts'

export interface PosterOrder extends VideoTools {
  readonly path: string
  readonly probe: VideoProbe
  /** Where the JPEG goes. */
  readonly outPath: string
}

/** How much of the video is searched for a good frame. */
const SEARCHED_SECONDS = 30

/** Writes a frame of the video as a JPEG, upright and in the size it is shown in. Throws a ProcessingError. */
export async function makePoster(order: PosterOrder): Promise<void> {
  const { probe, ffmpeg, outPath } = order
  const aLittleIn = Math.min(1, (probe.durationSeconds ?? 0) / 10)
  const anyFrame = frameFilters(probe, ffmpeg)

  // Key frames stand alone, so that a search among them is quick. A dark or damaged video may have none that will do.
  const searched = ['-skip_frame', 'nokey', '-t', String(SEARCHED_SECONDS)]
  await takeFrame(order, searched, bestFrameFilters(probe, ffmpeg))
  if (await isWritten(outPath)) return

  await takeFrame(order, ['-ss', String(aLittleIn)], anyFrame)
  if (await isWritten(outPath)) return

  const outcome = await takeFrame(order, [], anyFrame)
  if (await isWritten(outPath)) return
  await rm(outPath, { force: true })
  throw explainFailure('shown', outcome)
}

function takeFrame(order: PosterOrder, opening: string[], filters: string): Promise<FfmpegOutcome> {
  const { path, probe, outPath, limits } = order
  return runFfmpeg(order, {
    reads: path,
    writes: outPath,
    args: [
      ...opening,
      ...inputFile(path, limits),
      ...['-map', `0:${probe.video.index}`, '-vf', filters, '-frames:v', '1', '-map_metadata', '-1'],
      ...['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '2', '-f', 'image2', '-update', '1'],
      ...['-y', localFile(outPath)],
    ],
  })
}

async function isWritten(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  )
}
