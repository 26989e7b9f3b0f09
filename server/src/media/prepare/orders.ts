import type { Database } from '../../db/database.ts'
import type { MediaRow, Tx } from '../../db/schema.ts'
import { defineJob } from '../../jobs/job.ts'
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

interface OfMedia {
  mediaId: number
}

/** Pictures and facts: what a person waits for. */
export const preparePictures = defineJob<OfMedia>('media.prepare', { priority: 3, attempts: 4 })
/** A video that browsers play: hours of work perhaps, in a lane of its own. */
export const convertVideo = defineJob<OfMedia>('media.convert', { lane: 'slow', attempts: 3 })

/** A Live Photo's clip that browsers play: short, and so before any film, but no reason to keep a thumbnail waiting. */
export const playMotion = defineJob<OfMedia>('media.motion', { lane: 'slow', priority: 2, attempts: 3 })

/** Asks for everything a new file still needs, in the transaction that adds it. */
export async function askToPrepare(queue: Queue, tx: Tx, media: Pick<MediaRow, 'id'>): Promise<void> {
  await queue.enqueue(tx, preparePictures, { mediaId: media.id }, { uniqueKey: `media.prepare:${media.id}` })
}

export async function askToConvert(queue: Queue, tx: Tx, mediaId: number): Promise<void> {
  await queue.enqueue(tx, convertVideo, { mediaId }, { uniqueKey: `media.convert:${mediaId}` })
}

export async function askForMotion(queue: Queue, tx: Tx, mediaId: number): Promise<void> {
  await queue.enqueue(tx, playMotion, { mediaId }, { uniqueKey: `media.motion:${mediaId}` })
}
