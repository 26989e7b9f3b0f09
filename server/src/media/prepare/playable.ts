import { stat } from 'node:fs/promises'
import { pathBelow, type RootFolder } from '../../kit/safe-path.ts'
import { convertVideo } from '../../processing/video/convert.ts'
import { planFor } from '../../processing/video/decide.ts'
import { probeVideo } from '../../processing/video/probe.ts'
import type { PrepareDeps } from './orders.ts'
import type { MadePart } from './pictures.ts'
import { ffmpegOrGiveUp } from './video.ts'

interface Film {
  path: string
  /** What is made goes here. */
  folder: RootFolder
  /** The part it becomes. */
  name: 'full' | 'motion_full'
  signal: AbortSignal
  onProgress?: (percent: number) => void
}

/** A version of a film that every browser plays; undefined where the film itself is one. */
export async function makePlayable({ tools }: PrepareDeps, film: Film): Promise<MadePart | undefined> {
  const { path, folder, name, signal, onProgress } = film
  const ffmpeg = await ffmpegOrGiveUp(tools)
  const probe = await probeVideo(path, { ffmpeg, signal })
  const plan = planFor(probe)
  if (plan.act === 'plays') return undefined
  const outPath = pathBelow(folder, `${name}.mp4`)
  const converted = await convertVideo({ path, probe, plan, outPath, ffmpeg, signal, onProgress })
  const { size } = await stat(outPath)
  const { width, height } = converted.probe
  return { name, path: outPath, size, mime: 'video/mp4', extension: 'mp4', width, height }
}
