import { rm, stat } from 'node:fs/promises'
import { ffmpegError } from './explain.ts'
import { frameFilters, measuringFilters, selectMeasuredFrame } from './filters.ts'
import { inputFile, localFile } from './input.ts'
import type { VideoProbe } from './probe.ts'
import { type FfmpegResult, runFfmpeg, type VideoTools } from './run-ffmpeg.ts'

export interface PosterRequest extends VideoTools {
  readonly path: string
  readonly probe: VideoProbe
  /** Where the JPEG goes. */
  readonly outPath: string
}

/** How much of the video is searched for a good frame, and how many frames of that. */
const SEARCHED_SECONDS = 30
const MOST_MEASURED = 20

/** Key frames decode by themselves, so that a search among them is quick. */
const KEY_FRAMES = ['-skip_frame', 'nokey', '-t', String(SEARCHED_SECONDS)]

/** Places further on, in parts of the duration, for a video that begins with a fade or has one key frame alone. */
const FURTHER_ON = [0.1, 0.3, 0.5, 0.7, 0.9]

/** Of 255: a frame with this much contrast is good enough to look no further. */
const ENOUGH_CONTRAST = 60

/** The first frame that comes so near to the best one is taken: people expect the beginning of the video. */
const NEARLY_BEST = 0.75

/** A frame that can become the poster: what ffmpeg is started with to get to it, and its number from there. */
interface Candidate {
  readonly opening: readonly string[]
  readonly index: number
  readonly score: number
}

/**
 * Writes a frame of the video as a JPEG, upright and in the size it is shown in: one with contrast, where there is any.
 * Throws a ProcessingError.
 */
export async function makePoster(order: PosterRequest): Promise<void> {
  const { probe, ffmpeg, outPath } = order
  const anyFrame = frameFilters(probe, ffmpeg)

  const best = await findFrame(order)
  if (best) await writeFrame(order, best.opening, frameFilters(probe, ffmpeg, selectMeasuredFrame(best.index)))
  if (await isWritten(outPath)) return

  // A damaged video may have no key frame that can be read.
  await writeFrame(order, ['-ss', String(aLittleIn(probe))], anyFrame)
  if (await isWritten(outPath)) return

  const outcome = await writeFrame(order, [], anyFrame)
  if (await isWritten(outPath)) return
  await rm(outPath, { force: true })
  throw ffmpegError('shown', outcome)
}

function aLittleIn({ durationSeconds }: VideoProbe): number {
  return Math.min(1, (durationSeconds ?? 0) / 10)
}

async function findFrame(order: PosterRequest): Promise<Candidate | undefined> {
  const { durationSeconds } = order.probe
  const found = await measureFrames(order, KEY_FRAMES, MOST_MEASURED)
  for (const part of durationSeconds ? FURTHER_ON : []) {
    if (found.some(({ score }) => score >= ENOUGH_CONTRAST)) break
    found.push(...(await measureFrames(order, ['-ss', String((durationSeconds ?? 0) * part)], 1)))
  }
  const best = Math.max(...found.map(({ score }) => score))
  return found.find(({ score }) => score >= best * NEARLY_BEST)
}

async function measureFrames(order: PosterRequest, opening: string[], most: number): Promise<Candidate[]> {
  const { path, probe, limits } = order
  const { stderr: said } = await runFfmpeg(order, {
    reads: path,
    args: [
      ...opening,
      ...inputFile(path, limits),
      ...['-map', `0:${probe.video.index}`, '-vf', measuringFilters],
      ...['-frames:v', String(most), '-f', 'null', '-'],
    ],
  })
  // The filters may see one frame more than is asked for.
  return readScores(said)
    .slice(0, most)
    .map((score, index) => ({ opening, index, score }))
}

/**
 * How good a poster each measured frame makes: the distance between its dark and its bright parts, so that a fade to
 * any colour counts for nothing. Thin writing on plain ground counts a little, and light rather than black a bit less.
 */
function readScores(said: string): number[] {
  return said
    .split(/^frame:/m)
    .slice(1)
    .flatMap(frame => {
      const value = (name: string) =>
        Number(new RegExp(`^lavfi\\.signalstats\\.${name}=([\\d.]+)`, 'm').exec(frame)?.[1] ?? Number.NaN)
      const spread = Math.max(value('YHIGH') - value('YLOW'), (value('YMAX') - value('YMIN')) / 4)
      const score = spread + value('YAVG') / 25
      return Number.isFinite(score) ? [score] : []
    })
}

function writeFrame(order: PosterRequest, opening: readonly string[], filters: string): Promise<FfmpegResult> {
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
