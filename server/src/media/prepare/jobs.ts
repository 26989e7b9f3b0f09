import type { Database } from '../../db/database.ts'
import type { MediaRow, Tx } from '../../db/schema.ts'
import { defineJob, type Job, type Queue } from '../../jobs/queue.ts'
import type { Clock } from '../../kit/clock.ts'
import type { RootFolder, Scratch } from '../../kit/safe-path.ts'
import type { ImageFormat } from '../../processing/formats.ts'
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

/** What a job works on: a part of a file. */
export interface FileTask {
  media: MediaRow
  /** A local copy of the part. */
  path: string
  /** For what is made of it; deleted afterwards. */
  folder: RootFolder
  signal: AbortSignal
  /** Somebody without an account sent it: nothing else may be decoded by the same process. */
  fromGuest: boolean
}

/** The arguments of most tools for photos. */
export function photoOf(task: Omit<FileTask, 'folder'>) {
  return [{ path: task.path, format: task.media.format as ImageFormat }, runOptionsOf(task)] as const
}

export function runOptionsOf({ media, signal, fromGuest }: Pick<FileTask, 'media' | 'signal' | 'fromGuest'>) {
  return { signal, ownerId: media.uploaded_by, ownProcess: fromGuest }
}

export type QueuedMedia = Pick<MediaRow, 'id' | 'uploaded_by'>

interface MediaJob {
  mediaId: number
}

/** Makes variants and extracts metadata: what people wait for after an upload. */
export const preparePictures = defineJob<MediaJob>('media.prepare', { priority: 3, attempts: 4 })
/** Makes the variants of a photo again that somebody has turned. */
export const rotatePictures = defineJob<MediaJob>('media.rotate', { priority: 2, attempts: 4 })

/** Converts a video for browsers, which can take hours: in the slow lane. */
export const convertVideo = defineJob<MediaJob>('media.convert', { lane: 'slow', attempts: 3 })

/** When one of these fails, its file has the status `failed`, unless it was ready before. */
export const jobsOfFailedFiles = [preparePictures.name, convertVideo.name]

/** Converts the clip of a Live Photo or motion photo: short, so before any video, but it must not delay thumbnails. */
export const convertMotion = defineJob<MediaJob>('media.motion', { lane: 'slow', priority: 2, attempts: 3 })

/** Converts a video for a device that cannot play it: before other videos, since a person is waiting. */
export const convertCompatible = defineJob<MediaJob>('media.compatible', { lane: 'slow', priority: 1, attempts: 3 })

/** Copies a video without its metadata, for guests of a link. */
export const copyForGuests = defineJob<MediaJob>('media.shared', { lane: 'slow', priority: 2, attempts: 3 })

/** Queues everything a new file needs, in the transaction that adds it. */
export async function enqueuePrepare(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, preparePictures, { mediaId: media.id }, optionsFor(preparePictures, media))
}

export async function enqueuePrepareAll(queue: Queue, tx: Tx, files: readonly QueuedMedia[]): Promise<void> {
  const jobs = files.map(media => ({
    payload: { mediaId: media.id },
    options: optionsFor(preparePictures, media),
  }))
  await queue.enqueueAll(tx, preparePictures, jobs)
}

export async function enqueueRotate(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, rotatePictures, { mediaId: media.id }, optionsFor(rotatePictures, media))
}

export async function enqueueConvert(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, convertVideo, { mediaId: media.id }, optionsFor(convertVideo, media))
}

export async function enqueueMotion(queue: Queue, tx: Tx, media: QueuedMedia): Promise<void> {
  await queue.enqueue(tx, convertMotion, { mediaId: media.id }, optionsFor(convertMotion, media))
}

/** Counted as work of the person who asked for it rather than of the uploader. */
export async function enqueueCompatible(queue: Queue, tx: Tx, mediaId: number, personId: number): Promise<void> {
  const options = optionsFor(convertCompatible, { id: mediaId, uploaded_by: personId })
  await queue.enqueue(tx, convertCompatible, { mediaId }, options)
}

/** Counted as work of the person who made the link. */
export async function enqueueCopyForGuests(queue: Queue, tx: Tx, mediaId: number, personId: number): Promise<void> {
  const options = optionsFor(copyForGuests, { id: mediaId, uploaded_by: personId })
  await queue.enqueue(tx, copyForGuests, { mediaId }, options)
}

/** Deduplicated: one job of each kind per file. */
function optionsFor(job: Job<MediaJob>, media: QueuedMedia) {
  return { uniqueKey: `${job.name}:${media.id}`, ownerId: media.uploaded_by }
}
