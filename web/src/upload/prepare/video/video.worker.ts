import { BufferTarget, Logging, LogLevel, StreamTarget, type StreamTargetChunk, type Target } from 'mediabunny'
import { texts } from '../texts.ts'
import { serve } from '../workers/serve.ts'
import { Beyond, encode, FRAMES_PER_SECOND, rewrap } from './convert.ts'
import { planFor } from './decide.ts'
import { withIndexFirst } from './fast-start.ts'
import type { MadeVideo, VideoOrder } from './made.ts'
import { type OpenVideo, openVideo } from './probe.ts'
import { openScratchFile } from './scratch.ts'
import { findLoss } from './verify.ts'

// What it has to say about a file is answered, not written to the console.
Logging.level = LogLevel.Silent

const CHUNK_BYTES = 4 * 1024 * 1024

serve(async (order: VideoOrder, report): Promise<MadeVideo> => {
  // A file that can't be read fails here, by its own error, and not as one that nobody understands.
  await order.file.slice(0, 1).arrayBuffer()
  const video = await openVideo(order.file)
  if (!video) return { outcome: 'beyond', reason: texts.leftToServer.unknownVideo, pixels: null }
  const plan = planFor(video.facts)
  if (plan === 'plays') return { outcome: 'plays' }
  // Only the server knows how to bring such brightness down to what every screen shows.
  if (plan === 'encode' && (await video.picture.hasHighDynamicRange())) {
    return { outcome: 'server', reason: texts.leftToServer.highDynamicRange }
  }
  try {
    refuseHiddenSound(video)
    const mp4 = await write(order, target => (plan === 'rewrap' ? rewrap : encode)(video, target, report))
    const loss = await findLoss(mp4, { sound: video.sound !== null, seconds: await secondsOf(video) })
    if (loss) throw new Beyond(loss)
    return { outcome: 'converted', how: plan === 'rewrap' ? 'rewrapped' : 'encoded', mp4 }
  } catch (error) {
    const reason = error instanceof Beyond ? error.message : texts.errors.transcoding(String(error))
    return { outcome: 'beyond', reason, pixels: await pixelsOf(video) }
  }
})

/** Streams of kinds that mediabunny does not know are not even listed, and a camcorder without sound is rare. */
function refuseHiddenSound({ facts }: OpenVideo): void {
  if (facts.container === 'mpegts' && facts.sound === null) throw new Beyond(texts.leftToServer.unknownSound)
}

async function write({ scratchName }: VideoOrder, convert: (target: Target) => Promise<void>): Promise<Blob> {
  const scratch = await openScratchFile(scratchName)
  if (!scratch) {
    const target = new BufferTarget()
    await convert(target)
    return withIndexFirst(new Blob([target.buffer ?? new ArrayBuffer()]))
  }
  const stream = new WritableStream<StreamTargetChunk>({
    write: ({ data, position }) => scratch.write(data, position),
  })
  try {
    await convert(new StreamTarget(stream, { chunked: true, chunkSize: CHUNK_BYTES }))
  } finally {
    scratch.close()
  }
  return withIndexFirst(await scratch.read())
}

async function secondsOf({ input, picture, sound }: OpenVideo): Promise<number> {
  const tracks = sound ? [picture, sound] : [picture]
  return (await input.computeDuration(tracks)) - Math.max(0, await input.getFirstTimestamp(tracks))
}

async function pixelsOf({ picture, facts }: OpenVideo): Promise<number | null> {
  const seconds = await picture.getDurationFromMetadata()
  return seconds && facts.picture.codedWidth * facts.picture.codedHeight * seconds * FRAMES_PER_SECOND
}
