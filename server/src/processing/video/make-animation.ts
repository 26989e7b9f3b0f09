import { stat } from 'node:fs/promises'
import { animationLimits, animationSide, type MadeAnimation } from '../animation.ts'
import { unsupported } from '../errors.ts'
import { fitInside } from '../images/pixels.ts'
import { countFrames } from '../structure/inspect.ts'
import { tooComplex } from '../structure/limits.ts'
import { frameFilters } from './filters.ts'
import { probeVideo } from './probe.ts'
import { ffmpegError, inputFile, localFile, runFfmpeg, type VideoLimits, type VideoTools } from './run-ffmpeg.ts'

/** The pixels are limited, so the length says nothing about the time that it takes. */
const limits: Partial<VideoLimits> = { timeoutMs: 120_000, timeoutMsPerSecond: 0 }

/** Makes an animated WebP of a HEIF sequence, whose frames are a track as in a video. */
export async function makeAnimation({
  path,
  outPath,
  ...given
}: VideoTools & { readonly path: string; readonly outPath: string }): Promise<MadeAnimation> {
  const tools = { ...given, limits: { ...limits, ...given.limits } }
  const frames = await countFrames({ path, format: 'heic' })
  if (frames > animationLimits.frames) throw tooComplex('This animation has too many frames to be converted.')
  const probe = await probeVideo(path, tools)
  const { width, height } = fitInside(probe, animationSide(probe, frames))
  const outcome = await runFfmpeg(tools, {
    reads: path,
    writes: outPath,
    encodesSeconds: probe.durationSeconds,
    args: [
      ...inputFile(path, tools.limits),
      ...['-map', `0:${probe.video.index}`, '-fps_mode', 'passthrough', '-frames:v', String(frames)],
      ...['-vf', `${frameFilters(probe, tools.ffmpeg)},scale=${width}:${height}`],
      ...['-c:v', 'libwebp_anim', '-quality', '85', '-compression_level', '2', '-loop', '0'],
      ...['-map_metadata', '-1', '-f', 'webp', '-y', localFile(outPath)],
    ],
  })
  if (!outcome.ok) throw ffmpegError('converted', outcome)
  // Of a sequence that is also a still, ffmpeg may have chosen the still.
  if ((await countFrames({ path: outPath, format: 'webp' })) < 2) throw unsupported('ffmpeg found only one frame')
  return { width, height, size: (await stat(outPath)).size }
}
