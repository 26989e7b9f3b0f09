import { stat } from 'node:fs/promises'
import { pathBelow, type RootFolder } from '../../kit/safe-path.ts'
import { convertVideo } from '../../processing/video/convert.ts'
import { planCompatibleConversion, planConversion } from '../../processing/video/decide.ts'
import { playbackType } from '../../processing/video/playback-type.ts'
import { probeVideo } from '../../processing/video/probe.ts'
import type { PrepareDeps } from './orders.ts'
import type { MadePart } from './pictures.ts'
import { requireFfmpeg } from './video.ts'

interface VideoSource {
  path: string
  /** What is made goes here. */
  folder: RootFolder
  /** The part it becomes. The oldest phones play a `compatible` one too. */
  name: 'full' | 'motion_full' | 'compatible'
  signal: AbortSignal
  onProgress?: (percent: number) => void
}

interface Playable {
  /** Undefined where the film plays as it is. */
  made: MadePart | undefined
  /** Of what is to be played. */
  playbackType: string | null
}

/** A version of a film that browsers play. */
export async function makePlayable({ tools }: PrepareDeps, film: VideoSource): Promise<Playable> {
  const { path, folder, name, signal, onProgress } = film
  const ffmpeg = await requireFfmpeg(tools)
  const probe = await probeVideo(path, { ffmpeg, signal })
  const plan = name === 'compatible' ? planCompatibleConversion(probe) : planConversion(probe)
  if (plan.act === 'plays') return { made: undefined, playbackType: playbackType(probe) }
  const outPath = pathBelow(folder, `${name}.mp4`)
  const converted = await convertVideo({ path, probe, plan, outPath, ffmpeg, signal, onProgress })
  const { size } = await stat(outPath)
  const { width, height } = converted.probe
  const made = { name, path: outPath, size, mime: 'video/mp4', extension: 'mp4', width, height }
  return { made, playbackType: playbackType(converted.probe) }
}
