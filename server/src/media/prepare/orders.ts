import type { Database } from '../../db/database.ts'
import type { MediaRow, Tx } from '../../db/schema.ts'
import { defineJob, type Job } from '../../jobs/job.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Scratch } from '../../kit/scratch.ts'
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

interface OfMedia {
  mediaId: number
}

/** Pictures and facts: what a person waits for. */
export const preparePictures = defineJob<OfMedia>('media.prepare', { priority: 3, attempts: 4 })
/** A video that browsers play: hours of work perhaps, in a lane of its own. */
export const convertVideo = defineJob<OfMedia>('media.convert', { lane: 'slow', attempts: 3 })

/** A Live Photo's or motion photo's clip that browsers play: short, and so before any film, but no reason to keep a thumbnail waiting. */
export const playMotion = defineJob<OfMedia>('media.motion', { lane: 'slow', priority: 2, attempts: 3 })

/** A video for a device that can't play it as it is: before other films, since the person is looking at the page. */
export const convertForOldDevices = defineJob<OfMedia>('media.compatible', { lane: 'slow', priority: 1, attempts: 3 })

/** Asks for everything a new file still needs, in the transaction that adds it. */
export async function askToPrepare(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, preparePictures, { mediaId: media.id }, optionsFor(preparePictures, media))
}

export async function askToConvert(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, convertVideo, { mediaId: media.id }, optionsFor(convertVideo, media))
}

export async function askForMotion(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, playMotion, { mediaId: media.id }, optionsFor(playMotion, media))
}

/** In the turn of the person who wants to see it, who may be another than uploaded it. */
export async function askForCompatible(queue: Queue, tx: Tx, mediaId: number, personId: number): Promise<void> {
  const options = optionsFor(convertForOldDevices, { id: mediaId, uploaded_by: personId })
  await queue.enqueue(tx, convertForOldDevices, { mediaId }, options)
}

/** One job of a kind per file, in the turn of the person who uploaded it. */
function optionsFor(job: Job<OfMedia>, media: QueuedMedia) {
  return { uniqueKey: `${job.name}:${media.id}`, ownerId: media.uploaded_by }
}
