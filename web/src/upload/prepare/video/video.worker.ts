import { BufferTarget, Logging, LogLevel, StreamTarget, type StreamTargetChunk, type Target } from 'mediabunny'
import { CannotPrepare, type NotConverted, type VideoRequest, type VideoResult, whyNotPrepared } from '../prepare.ts'
import { serveTask } from '../worker-pool.ts'
import { encode, FRAMES_PER_SECOND, remux } from './convert.ts'
import { planFor } from './decide.ts'
import { moveIndexToFront } from './fast-start.ts'
import { findLoss, type OpenVideo, openVideo } from './probe.ts'
import { openScratchFile } from './scratch.ts'

// Problems with a file are returned, not logged.
Logging.level = LogLevel.Silent

const CHUNK_BYTES = 4 * 1024 * 1024

serveTask(async (request: VideoRequest, report): Promise<VideoResult<NotConverted>> => {
  // An unreadable file fails here with its own error, not as an unknown format.
  await request.file.slice(0, 1).arrayBuffer()
  const video = await openVideo(request.file)
  if (!video) return { outcome: 'unsupported', reason: 'unknownVideo', pixels: null }
  const plan = planFor(video.facts)
  if (plan === 'plays') return { outcome: 'plays' }
  // Only the server can tone-map HDR.
  if (plan === 'encode' && (await video.picture.hasHighDynamicRange())) {
    return { outcome: 'server', reason: 'highDynamicRange' }
  }
  try {
    rejectUnlistedSound(video)
    const mp4 = await write(request, target => (plan === 'remux' ? remux : encode)(video, target, report))
    const loss = await findLoss(mp4, { sound: video.sound !== null, seconds: await secondsOf(video) })
    if (loss) throw new CannotPrepare(loss)
    return { outcome: 'converted', how: plan === 'remux' ? 'remuxed' : 'encoded', mp4 }
  } catch (error) {
    const reason = whyNotPrepared(error) ?? { error: String(error) }
    return { outcome: 'unsupported', reason, pixels: await pixelsOf(video) }
  }
})

/** mediabunny does not list tracks of unknown codecs, and camcorder videos without audio are rare. */
function rejectUnlistedSound({ facts }: OpenVideo): void {
  if (facts.container === 'mpegts' && facts.sound === null) throw new CannotPrepare('unknownSound')
}

async function write({ scratchName }: VideoRequest, convert: (target: Target) => Promise<void>): Promise<Blob> {
  const scratch = await openScratchFile(scratchName)
  if (!scratch) {
    const target = new BufferTarget()
    await convert(target)
    return moveIndexToFront(new Blob([target.buffer ?? new ArrayBuffer()]))
  }
  const stream = new WritableStream<StreamTargetChunk>({
    write: ({ data, position }) => scratch.write(data, position),
  })
  try {
    await convert(new StreamTarget(stream, { chunked: true, chunkSize: CHUNK_BYTES }))
  } finally {
    scratch.close()
  }
  return moveIndexToFront(await scratch.read())
}

async function secondsOf({ input, picture, sound }: OpenVideo): Promise<number> {
  const tracks = sound ? [picture, sound] : [picture]
  return (await input.computeDuration(tracks)) - Math.max(0, await input.getFirstTimestamp(tracks))
}

async function pixelsOf({ picture, facts }: OpenVideo): Promise<number | null> {
  const seconds = await picture.getDurationFromMetadata()
  return seconds && facts.picture.codedWidth * facts.picture.codedHeight * seconds * FRAMES_PER_SECOND
}
