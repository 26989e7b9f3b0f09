import type { Database } from '../../db/database.ts'
import type { MediaRow, Tx } from '../../db/schema.ts'
import { defineJob, type Job, type Queue } from '../../jobs/queue.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Scratch } from '../../kit/safe-path.ts'
import type { Storage } from '../../storage/storage.ts'
import type { MediaTools } from './tools.ts'

export interface PrepareDeps {
  db: Database
  storage: Storage
  clock: Clock
  scratch: Scratch
  queue: Queue
  tools: MediaTools
}

/** What queueing needs to know of a file. */
export type QueuedMedia = Pick<MediaRow, 'id' | 'uploaded_by'>

interface MediaJob {
  mediaId: number
}

/** Pictures and facts: what a person waits for. */
export const preparePictures = defineJob<MediaJob>('media.prepare', { priority: 3, attempts: 4 })
/** A video that browsers play: hours of work perhaps, in a lane of its own. */
export const convertVideo = defineJob<MediaJob>('media.convert', { lane: 'slow', attempts: 3 })

/** A Live Photo's or motion photo's clip that browsers play: short, and so before any film, but no reason to keep a thumbnail waiting. */
export const convertMotion = defineJob<MediaJob>('media.motion', { lane: 'slow', priority: 2, attempts: 3 })

/** A video for a device that can't play it as it is: before other films, since the person is looking at the page. */
export const convertCompatible = defineJob<MediaJob>('media.compatible', { lane: 'slow', priority: 1, attempts: 3 })

/** Asks for everything a new file still needs, in the transaction that adds it. */
export async function enqueuePrepare(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, preparePictures, { mediaId: media.id }, optionsFor(preparePictures, media))
}

export async function enqueueConvert(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, convertVideo, { mediaId: media.id }, optionsFor(convertVideo, media))
}

export async function enqueueMotion(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, convertMotion, { mediaId: media.id }, optionsFor(convertMotion, media))
}

/** In the turn of the person who wants to see it, who may be another than uploaded it. */
export async function enqueueCompatible(queue: Queue, tx: Tx, mediaId: number, personId: number): Promise<void> {
  const options = optionsFor(convertCompatible, { id: mediaId, uploaded_by: personId })
  await queue.enqueue(tx, convertCompatible, { mediaId }, options)
}

/** One job of a kind per file, in the turn of the person who uploaded it. */
function optionsFor(job: Job<MediaJob>, media: QueuedMedia) {
  return { uniqueKey: `${job.name}:${media.id}`, ownerId: media.uploaded_by }
}
