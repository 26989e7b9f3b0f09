import { stat } from 'node:fs/promises'
import type { MediaRow, PartKind, Tx } from '../../db/schema.ts'
import { PermanentFailure } from '../../jobs/queue.ts'
import { pathBelow, type RootFolder } from '../../kit/safe-path.ts'

import { ifPermanent } from '../../processing/errors.ts'
import type { VideoFormat } from '../../processing/formats.ts'
import { findMissingEnd } from '../../processing/structure/completeness/find-missing-end.ts'
import { convertVideo, verifyConversion } from '../../processing/video/convert.ts'
import type { FoundFfmpeg } from '../../processing/video/find-ffmpeg.ts'
import {
  type ConversionPlan,
  originalPlaybackType,
  planCompatibleConversion,
  planConversion,
  planCopyWithoutMetadata,
  playbackType,
} from '../../processing/video/playback.ts'

import { makePoster } from '../../processing/video/poster.ts'
import { probeVideo, type VideoProbe } from '../../processing/video/probe.ts'

import { announceFiles } from '../announce.ts'
import { damageColumns } from '../incomplete.ts'
import { findPart, setCompatibleProgress, setProgress, updateMedia } from '../media.sql.ts'
import type { MadeFile } from '../store-files.ts'
import { extractMetadata } from './extract-metadata.ts'
import { enqueueConvert, type FileTask, type PrepareDeps, runOptionsOf } from './jobs.ts'
import { readyColumns, storeParts } from './store-parts.ts'
import type { MediaTools } from './tools.ts'

/** Makes a poster in all sizes, extracts metadata, and queues a conversion unless browsers play the video already. */
export async function prepareVideo(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media, path, folder, signal } = task
  const { tools, queue } = deps
  const ffmpeg = await requireFfmpeg(tools)
  const inSlot: InSlot = work => tools.withVideoSlot(media.uploaded_by, signal, work)
  const damage = damageColumns(await findMissingEnd(path, media.format as VideoFormat))
  const poster = pathBelow(folder, 'poster.jpg')
  const probe = await inSlot(async () => {
    const probed = await probeVideo(path, { ffmpeg, signal })
    await makePoster({ path, probe: probed, outPath: poster, ffmpeg, signal })
    return probed
  }).catch(async error => {
    signal.throwIfAborted()
    // Even a video that cannot be played says that its end is missing.
    await storeParts(deps, media, [], damage)
    throw error
  })
  const made = await tools.makePictures({ path: poster, format: 'jpeg', folder }, runOptionsOf(task))

  const { shownPart, played, cutOff } = await playablePart(deps, task, probe, { ffmpeg, inSlot })
  await storeParts(
    deps,
    media,
    made.pictures,
    {
      ...(await extractMetadata(deps, task)),
      width: probe.width,
      height: probe.height,
      duration: probe.durationSeconds,
      thumbhash: made.thumbhash,
      shown_part: shownPart,
      ...damage,
      ...(cutOff ? { partly_damaged: 1 } : {}),
      playback_type: played ? playbackType(played) : originalPlaybackType(probe),
      ...(shownPart ? readyColumns : { status: 'processing', progress: 0 }),
    },
    tx => (shownPart ? Promise.resolve() : enqueueConvert(queue, tx, media)),
  )
}

async function requireFfmpeg(tools: MediaTools): Promise<FoundFfmpeg> {
  const ffmpeg = await tools.ffmpeg()
  if (ffmpeg) return ffmpeg
  throw new PermanentFailure('This server has no ffmpeg, which videos need. An admin can install it and press Retry.')
}

type InSlot = <Result>(work: () => Promise<Result>) => Promise<Result>

interface PlayablePart {
  shownPart: MediaRow['shown_part']
  played: VideoProbe | null
  /** The original ends before the length that it declares. */
  cutOff: boolean
}

/** The original if browsers play it, or the client's conversion if nothing of the original is missing from it. */
async function playablePart(
  { db, storage }: PrepareDeps,
  { media, path, signal }: FileTask,
  probe: VideoProbe,
  { ffmpeg, inSlot }: { ffmpeg: FoundFfmpeg; inSlot: InSlot },
): Promise<PlayablePart> {
  const none = { shownPart: null, played: null, cutOff: false }
  if (planConversion(probe).act === 'plays') return { shownPart: 'original', played: probe, cutOff: false }
  const converted = await findPart(db.query, media.id, 'full')
  if (!converted) return none
  const verify = async (copy: string): Promise<PlayablePart> => {
    const { probe: result, cutOff } = await inSlot(() => verifyConversion({ path, probe, ffmpeg, signal }, copy))
    return planConversion(result).act === 'plays' ? { shownPart: 'full', played: result, cutOff } : none
  }
  return storage.withLocalCopy(converted.key, verify).catch(ifPermanent(none))
}

const plans = {
  full: planConversion,
  motion_full: planConversion,
  compatible: planCompatibleConversion,
  shared: planCopyWithoutMetadata,
} satisfies Partial<Record<PartKind, (probe: VideoProbe) => ConversionPlan>>

/** Longest side of a transcoded part, if it is made smaller. A clip is shown for a moment, over its still. */
const maxSizes: Partial<Record<keyof typeof plans, number>> = { motion_full: 1_280 }

interface VideoSource {
  path: string
  /** Output folder. */
  folder: RootFolder
  /** The part that the result becomes. `compatible` and `shared` also play on the oldest phones. */
  name: keyof typeof plans
  signal: AbortSignal
  onProgress?: (percent: number) => void
}

interface Playable {
  /** Undefined when the video plays as it is. */
  made: MadeFile | undefined
  /** MIME type with codecs of the version to play. */
  playbackType: string | null
  /** It ends before the length that it declares. */
  cutOff: boolean
}

/** Converts a video unless browsers play it as it is. */
export async function makePlayable({ tools }: PrepareDeps, source: VideoSource): Promise<Playable> {
  const { path, folder, name, signal, onProgress } = source
  const ffmpeg = await requireFfmpeg(tools)
  const probe = await probeVideo(path, { ffmpeg, signal })
  const plan: ConversionPlan = plans[name](probe)
  if (plan.act === 'plays') return { made: undefined, playbackType: playbackType(probe), cutOff: false }
  const outPath = pathBelow(folder, `${name}.mp4`)
  const maxSize = maxSizes[name]
  const converted = await convertVideo({ path, probe, plan, maxSize, outPath, ffmpeg, signal, onProgress })
  const { size } = await stat(outPath)
  const { width, height } = converted.probe
  const made = { kind: name, path: outPath, size, mime: 'video/mp4', width, height }
  return { made, playbackType: playbackType(converted.probe), cutOff: converted.cutOff }
}

export async function convert(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media, path, folder, signal } = task
  const onProgress = progressReporter(deps, media.id, setProgress)
  const playable = await makePlayable(deps, { path, folder, name: 'full', signal, onProgress })
  const { made: full, playbackType: playback_type } = playable
  const shown = { shown_part: full ? 'full' : 'original', playback_type } as const
  // What the structure of the file showed before stays.
  const damage = playable.cutOff ? { partly_damaged: 1 } : {}
  await storeParts(deps, media, full ? [full] : [], { ...readyColumns, ...shown, ...damage })
}

/** Makes the version that a person's device needs. Idempotent: a repeated job finds the existing part. */
export async function makeCompatible(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media, path, folder, signal } = task
  const done = { compatible_progress: null, compatible_failure: null }
  if (await findPart(deps.db.query, media.id, 'compatible')) return storeParts(deps, media, [], done)
  const onProgress = progressReporter(deps, media.id, setCompatibleProgress)
  const { made } = await makePlayable(deps, { path, folder, name: 'compatible', signal, onProgress })
  if (!made) throw new PermanentFailure('This video already has the format that most devices can play.')
  await storeParts(deps, media, [made], done)
}

/** Makes the version that guests see. Idempotent, like `makeCompatible`. */
export async function copyWithoutMetadata(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media, path, folder, signal } = task
  if (await findPart(deps.db.query, media.id, 'shared')) return
  const { made } = await makePlayable(deps, { path, folder, name: 'shared', signal })
  if (made) await storeParts(deps, media, [made], {})
}

export async function compatibleFailed({ db }: PrepareDeps, tx: Tx, mediaId: number, reason: string): Promise<void> {
  await updateMedia(tx, mediaId, { compatible_progress: null, compatible_failure: reason })
  await announceFiles(db, tx, [mediaId])
}

const REPORT_EVERY_MS = 2_000

/** Throttled: stores the progress at most every two seconds. */
function progressReporter(
  { db, clock }: PrepareDeps,
  mediaId: number,
  store: (tx: Tx, mediaId: number, percent: number) => Promise<void>,
): (percent: number) => void {
  let last = clock()
  return percent => {
    if (clock() - last < REPORT_EVERY_MS) return
    last = clock()
    // A lost progress report does not matter. If the database is unreachable, the job itself will fail.
    db.transaction(async tx => {
      await store(tx, mediaId, Math.min(percent, 99))
      await announceFiles(db, tx, [mediaId])
    }).catch(() => undefined)
  }
}
