import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaRow } from '../../db/schema.ts'
import { convertVideo } from '../../processing/video/convert.ts'
import { planFor } from '../../processing/video/decide.ts'
import { probeVideo } from '../../processing/video/probe.ts'
import type { PrepareDeps } from './orders.ts'
import { keepPictures } from './pictures.ts'
import { ffmpegOrGiveUp } from './video.ts'

/** Makes a Live Photo's clip play in every browser: phones film most of them in ways that only some can show. */
export async function prepareMotion(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const ffmpeg = await ffmpegOrGiveUp(deps.tools)
  const probe = await probeVideo(path, { ffmpeg, signal })
  const plan = planFor(probe)
  if (plan.act === 'plays') {
    await keepPictures(deps, media, [], { motion_part: 'motion' })
    return
  }
  const outPath = join(folder, 'motion.mp4')
  const converted = await convertVideo({ path, probe, plan, outPath, ffmpeg, signal })
  const { size } = await stat(outPath)
  const { width, height } = converted.probe
  const clip = { name: 'motion_full' as const, path: outPath, size, mime: 'video/mp4', extension: 'mp4', width, height }
  await keepPictures(deps, media, [clip], { motion_part: 'motion_full' })
}
