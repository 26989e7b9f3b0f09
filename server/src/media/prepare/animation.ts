import { pathBelow } from '../../kit/safe-path.ts'
import { ANIMATION_NAME, type MadeAnimation } from '../../processing/animation.ts'
import { ProcessingError, unsupported } from '../../processing/errors.ts'
import { type Format, formats } from '../../processing/formats.ts'
import { makeAnimation as makeAnimationOfTrack } from '../../processing/video/make-animation.ts'
import type { MadeFile } from '../store-files.ts'
import { type FileTask, type PrepareDeps, runOptionsOf } from './jobs.ts'

/** Whether a moving picture must be converted: browsers play animated GIF, WebP, PNG and AVIF as they are. */
export function needsAnimation(format: string): boolean {
  return !formats[format as Format].browserShows
}

/** Values of the column `animated`. */
export const animatedValues = { no: 0, plays: 1, firstFrameOnly: 2 } as const

interface Animation {
  /** What browsers play instead of the original. */
  file?: MadeFile
  animated: (typeof animatedValues)[keyof typeof animatedValues]
}

export async function makeAnimation(deps: PrepareDeps, task: FileTask): Promise<Animation> {
  const path = pathBelow(task.folder, ANIMATION_NAME)
  try {
    const made = await convert(deps, task, path)
    if (!made) return { animated: animatedValues.no }
    return { file: { kind: 'full', path, mime: 'image/webp', ...made }, animated: animatedValues.plays }
  } catch (error) {
    task.signal.throwIfAborted()
    // A still is better than nothing, unless another attempt may succeed.
    if (!(error instanceof ProcessingError) || error.isRetryable) throw error
    return { animated: animatedValues.firstFrameOnly }
  }
}

/** Undefined if the picture has only one frame. */
async function convert({ tools }: PrepareDeps, task: FileTask, outPath: string): Promise<MadeAnimation | undefined> {
  const { media, path, folder, signal } = task
  if (media.format === 'jxl') return tools.makeAnimation({ path, format: 'jxl', outDir: folder }, runOptionsOf(task))
  const ffmpeg = await tools.ffmpeg()
  if (!ffmpeg || media.format !== 'heic') throw unsupported('no program to convert this animation')
  return tools.withVideoSlot(media.uploaded_by, signal, () => makeAnimationOfTrack({ path, outPath, ffmpeg, signal }))
}
