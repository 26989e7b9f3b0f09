import { viewingSizes } from '#contract/limits.ts'
import type { MediaPartRow, MediaRow, PartKind } from '../../db/schema.ts'
import type { SafePath } from '../../kit/safe-path.ts'
import type { DetectedFormat } from '../../processing/recognise.ts'
import { newKeyStem, originalKey, partKey } from '../keys.ts'
import type { IncomingFile } from './arrival.ts'
import type { ReceivedFile } from './receive.ts'

export interface PlannedPart extends Omit<MediaPartRow, 'media_id'> {
  path: SafePath
}

export interface Plan {
  parts: PlannedPart[]
  shownPart: MediaRow['shown_part']
  complete: boolean
}

/** Which files go where, and whether that is all the file will ever need. */
export function planParts(now: number, arrival: IncomingFile, recognised: DetectedFormat): Plan {
  const stem = newKeyStem(arrival.name, keyDate(arrival, now))
  const { converted: shown } = arrival
  const { variants } = arrival.pictures
  const parts = [originalPart(stem, arrival, recognised)]
  for (const [kind, { extension, mime, ...variant }] of variants) {
    const key = partKey(stem, kind, 1, extension)
    parts.push({ ...variant, kind: kind satisfies PartKind, key, mime_type: mime })
  }
  if (shown && recognised.kind === 'video') {
    // A client's conversion is kept for the job to look at; it is shown only once it proved whole.
    const { path, size } = shown
    const key = partKey(stem, 'full', 1, 'mp4')
    parts.push({ kind: 'full', key, path, size, mime_type: 'video/mp4', width: null, height: null })
  }
  if (arrival.clip) parts.push(clipPart(stem, arrival.clip))
  if (arrival.sidecar) parts.push(sidecarPart(stem, arrival.sidecar))
  const image = recognised.kind === 'image'
  const shownPart = image && recognised.browserShows ? 'original' : image && variants.has('full') ? 'full' : null
  const complete = shownPart !== null && viewingSizes.every(size => variants.has(size))
  return { parts, shownPart, complete }
}

/** The original alone, under a name of its own. */
export function planOriginal(now: number, arrival: IncomingFile, recognised: DetectedFormat): PlannedPart {
  return originalPart(newKeyStem(arrival.name, keyDate(arrival, now)), arrival, recognised)
}

/** The clip of a photo that is held already, under a name of its own. */
export function planClip(now: number, arrival: IncomingFile, clip: NonNullable<IncomingFile['clip']>): PlannedPart {
  return clipPart(newKeyStem(arrival.name, keyDate(arrival, now)), clip)
}

/** Among the originals, for it is one: whoever opens the folder finds it beside its still. */
function clipPart(stem: string, { file, recognised }: NonNullable<IncomingFile['clip']>): PlannedPart {
  const { path, size } = file
  const key = originalKey(stem, recognised.extension)
  return { kind: 'motion', key, path, size, mime_type: recognised.mime, width: null, height: null }
}

/** Beside the original, under its name: programs that read sidecars find it there. */
function sidecarPart(stem: string, { path, size }: ReceivedFile): PlannedPart {
  const key = originalKey(stem, 'xmp')
  return { kind: 'sidecar', key, path, size, mime_type: 'application/rdf+xml', width: null, height: null }
}

function originalPart(stem: string, { original }: IncomingFile, { extension, mime }: DetectedFormat): PlannedPart {
  const { path, size } = original
  return { kind: 'original', key: originalKey(stem, extension), path, size, mime_type: mime, width: null, height: null }
}

/** Year and month under which the file stands in storage: the camera's, else the upload's. */
function keyDate({ metadata }: IncomingFile, now: number): Date {
  const taken = metadata?.dateTimeOriginal?.slice(0, 10)
  return taken ? new Date(`${taken}T00:00:00Z`) : new Date(now)
}
