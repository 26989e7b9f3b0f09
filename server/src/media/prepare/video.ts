import type { MediaRow } from '../../db/schema.ts'
import { PermanentFailure } from '../../jobs/queue.ts'
import { pathBelow, type RootFolder } from '../../kit/safe-path.ts'
import { ProcessingError } from '../../processing/errors.ts'
import { planConversion } from '../../processing/video/decide.ts'
import type { FoundFfmpeg } from '../../processing/video/find-ffmpeg.ts'
import { playbackType } from '../../processing/video/playback-type.ts'
import { makePoster } from '../../processing/video/poster.ts'
import { probeVideo, type VideoProbe } from '../../processing/video/probe.ts'
import { verifyConversion } from '../../processing/video/verify.ts'
import { part } from '../media.sql.ts'
import { extractMetadata } from './learn.ts'
import { enqueueConvert, type PrepareDeps } from './orders.ts'
import { readyColumns, storeParts } from './pictures.ts'
import type { MediaTools } from './tools.ts'

/** A picture of it in every size, what the camera wrote, and whether browsers play it as it is. */
export async function prepareVideo(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<void> {
  const { tools, queue } = deps
  const ffmpeg = await requireFfmpeg(tools)
  const inTurn: InTurn = work => tools.withVideoSlot(media.uploaded_by, signal, work)
  const poster = pathBelow(folder, 'poster.jpg')
  const probe = await inTurn(async () => {
    const probed = await probeVideo(path, { ffmpeg, signal })
    await makePoster({ path, probe: probed, outPath: poster, ffmpeg, signal })
    return probed
  })
  const made = await tools.makePictures({ path: poster, format: 'jpeg', folder, ownerId: media.uploaded_by }, signal)

  const { shownPart, played } = await playablePart(deps, media, path, probe, { ffmpeg, signal, inTurn })
  await storeParts(
    deps,
    media,
    made.pictures,
    {
      ...(await extractMetadata(deps, media, path, signal)),
      width: probe.width,
      height: probe.height,
      duration: probe.durationSeconds,
      thumbhash: made.thumbhash,
      shown_part: shownPart,
      playback_type: played && playbackType(played),
      ...(shownPart ? readyColumns : { status: 'processing', progress: 0 }),
    },
    tx => (shownPart ? Promise.resolve() : enqueueConvert(queue, tx, media)),
  )
}

export async function requireFfmpeg(tools: MediaTools): Promise<FoundFfmpeg> {
  const ffmpeg = await tools.ffmpeg()
  if (ffmpeg) return ffmpeg
  throw new PermanentFailure('This server has no ffmpeg, which videos need. An admin can install it and press Retry.')
}

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

interface PlayablePart {
  shownPart: MediaRow['shown_part']
  played: VideoProbe | null
}

/** The original, or the version that a client converted: but only when nothing of the original is missing from it. */
async function playablePart(
  { db, storage }: PrepareDeps,
  media: MediaRow,
  path: string,
  probe: VideoProbe,
  { inTurn, ...tools }: { ffmpeg: FoundFfmpeg; signal: AbortSignal; inTurn: InTurn },
): Promise<PlayablePart> {
  const none = { shownPart: null, played: null }
  if (planConversion(probe).act === 'plays') return { shownPart: 'original', played: probe }
  const converted = await part(db.query, media.id, 'full')
  if (!converted) return none
  try {
    return await storage.withLocalCopy(converted.key, async copy => {
      const result = await inTurn(() => verifyConversion({ path, probe, ...tools }, copy))
      return planConversion(result).act === 'plays' ? { shownPart: 'full', played: result } : none
    })
  } catch (error) {
    if (error instanceof ProcessingError && !error.isRetryable) return none
    throw error
  }
}
