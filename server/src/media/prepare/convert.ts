import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaRow } from '../../db/schema.ts'
import { convertVideo } from '../../processing/video/convert.ts'
import { planFor } from '../../processing/video/decide.ts'
import { probeVideo } from '../../processing/video/probe.ts'
import { announceFiles } from '../announce.ts'
import { setProgress } from '../media.sql.ts'
import { ready } from './image.ts'
import type { PrepareDeps } from './orders.ts'
import { keepPictures } from './pictures.ts'
import { ffmpegOrGiveUp } from './video.ts'

const TOLD_EVERY_MS = 2_000

/** Makes a version that every browser plays. */
export async function convert(
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
    await keepPictures(deps, media, [], { ...ready, shown_part: 'original' })
    return
  }
  const outPath = join(folder, 'converted.mp4')
  const converted = await convertVideo({
    path,
    probe,
    plan,
    outPath,
    ffmpeg,
    signal,
    onProgress: progressTeller(deps, media.id),
  })
  const { size } = await stat(outPath)
  const { width, height } = converted.probe
  const full = { name: 'full' as const, path: outPath, size, mime: 'video/mp4', extension: 'mp4', width, height }
  await keepPictures(deps, media, [full], { ...ready, shown_part: 'full' })
}

/** Stored now and then, for the people who watch the percentage. */
function progressTeller({ db, clock }: PrepareDeps, mediaId: number): (percent: number) => void {
  let last = clock()
  return percent => {
    if (clock() - last < TOLD_EVERY_MS) return
    last = clock()
    // The next one will do as well; a database that is away shows itself where it matters.
    db.write(async tx => {
      await setProgress(tx, mediaId, Math.min(percent, 99))
      await announceFiles(db, tx, [mediaId])
    }).catch(() => undefined)
  }
}
