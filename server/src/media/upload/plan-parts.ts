import { viewingSizes } from '#contract/limits.ts'
import type { MediaRow, PartKind } from '../../db/schema.ts'
import { newKeyStem, newPartSet, originalKey } from '../object-keys.ts'
import { type NewPart, newPart } from '../store-files.ts'
import type { IncomingClip, IncomingFile } from './check-upload.ts'
import type { ReceivedFile } from './upload-form.ts'

/** What is stored of an upload. */
export interface Plan {
  parts: NewPart[]
  shownPart: MediaRow['shown_part']
  /** Nothing has to be prepared before the file can be shown. */
  complete: boolean
}

export function planParts(now: number, incoming: IncomingFile): Plan {
  const { format, converted, clip, sidecar } = incoming
  const { variants } = incoming.pictures
  const stem = keyStemFor(incoming, now)
  const set = newPartSet(stem, 1)
  const parts = [originalPart(stem, incoming), ...variants.map(variant => newPart(set, variant))]
  if (converted && format.kind === 'video') {
    // Stored for the job to verify; it is shown only when it proves to be complete.
    const { path, size } = converted
    parts.push(newPart(set, { kind: 'full', path, size, mime: 'video/mp4', width: null, height: null }))
  }
  if (clip) parts.push(clipPart(stem, clip))
  if (sidecar) parts.push(uploadedPart('sidecar', sidecar, originalKey(stem, 'xmp'), 'application/rdf+xml'))
  const has = (kind: PartKind) => variants.some(variant => variant.kind === kind)
  const isImage = format.kind === 'image'
  const shownPart = isImage && format.browserShows ? 'original' : isImage && has('full') ? 'full' : null
  return { parts, shownPart, complete: shownPart !== null && viewingSizes.every(has) }
}

export function originalPart(stem: string, { original, format }: IncomingFile): NewPart {
  return uploadedPart('original', original, originalKey(stem, format.extension), format.mime)
}

/** Stored next to the still in `originals`, as on the phone. */
export function clipPart(stem: string, { file, format }: IncomingClip): NewPart {
  return uploadedPart('motion', file, originalKey(stem, format.extension), format.mime)
}

function uploadedPart(kind: PartKind, { path, size }: ReceivedFile, key: string, mime_type: string): NewPart {
  return { kind, key, path, size, mime_type, width: null, height: null }
}

/** Objects are filed under the year and month when the photo was taken, or else uploaded. */
export function keyStemFor({ name, metadata }: IncomingFile, now: number): string {
  const taken = metadata?.dateTimeOriginal?.slice(0, 10)
  return newKeyStem(name, taken ? new Date(`${taken}T00:00:00Z`) : new Date(now))
}
