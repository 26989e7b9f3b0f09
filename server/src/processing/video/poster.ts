import { rm, stat } from 'node:fs/promises'
import { frameFilters, measuringFilters, selectMeasuredFrame } from './filters.ts'
import type { VideoProbe } from './probe.ts'
import { type FfmpegResult, ffmpegError, inputFile, localFile, runFfmpeg, type VideoTools } from './run-ffmpeg.ts'

export interface PosterRequest extends VideoTools {
  readonly path: string
  readonly probe: VideoProbe
  /** The path of the JPEG. */
  readonly outPath: string
}

/** How much of the video is searched for a good frame, and how many frames are measured. */
const SEARCHED_SECONDS = 30
const MOST_MEASURED = 20

/** Only key frames, which can be decoded quickly. */
const KEY_FRAMES = ['-skip_frame', 'nokey', '-t', String(SEARCHED_SECONDS)]

/** Further positions (fractions of the duration) for a video that starts with a fade or has a single key frame. */
const FURTHER_ON = [0.1, 0.3, 0.5, 0.7, 0.9]

/** Of 255: enough contrast to stop searching. */
const ENOUGH_CONTRAST = 60

/** The first frame with this fraction of the best score is used, since people expect the beginning of the video. */
const NEARLY_BEST = 0.75

/** A possible poster: ffmpeg's input options to reach it, and its index from there. */
interface Candidate {
  readonly opening: readonly string[]
  readonly index: number
  readonly score: number
}

/** Writes a frame with good contrast as a JPEG, upright and in display size. Throws a ProcessingError. */
export async function makePoster(order: PosterRequest): Promise<void> {
  const { probe, ffmpeg, outPath } = order
  const anyFrame = frameFilters(probe, ffmpeg)

  const best = await findFrame(order)
  if (best) await writeFrame(order, best.opening, frameFilters(probe, ffmpeg, selectMeasuredFrame(best.index)))
  if (await isWritten(outPath)) return

  // A damaged video may have no readable key frame.
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
  const { stderr } = await runFfmpeg(order, {
    reads: path,
    args: [
      ...opening,
      ...inputFile(path, limits),
      ...['-map', `0:${probe.video.index}`, '-vf', measuringFilters],
      ...['-frames:v', String(most), '-f', 'null', '-'],
    ],
  })
  // The filters may process one frame more than requested.
  return readScores(stderr)
    .slice(0, most)
    .map((score, index) => ({ opening, index, score }))
}

/**
 * Scores frames by contrast, so that a fade to any colour scores nothing. Thin text on a plain background scores a little,
 * and brightness adds a bit.
 */
function readScores(stderr: string): number[] {
  return stderr
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
