import { formatEdtf, type KnownDate, parseEdtf } from '#contract/edtf.ts'
import { toIso } from '../kit/clock.ts'
import { sidecarOf } from '../media/public.ts'
import type { AuthoredText, ExportedFile } from './library.sql.ts'

/** `photo.jpg.xmp`, which most programs read: date, place, caption, tags, hearts and notes. */
export function xmpOf(file: ExportedFile): Buffer {
  const { edtf, latitude, longitude, tags } = file
  const date = edtf === null ? undefined : parseEdtf(edtf)
  return sidecarOf({
    edtf: date?.precision === 'time' ? exactTime(date, file) : (edtf ?? undefined),
    position: latitude !== null && longitude !== null ? { latitude, longitude } : undefined,
    tags,
    description: file.caption,
    notes: notesOf(file),
    place: file.location,
    ...Object.assign({}, ...file.ofFeatures.map(({ xmp }) => xmp)),
  })
}

/** `photo.jpg.JSON`, as archives of immich-go have it, with what only Heirloom knows under `heirloom`. */
export function jsonOf(file: ExportedFile): Buffer {
  const date = file.edtf === null ? undefined : parseEdtf(file.edtf)
  const facts = {
    fileName: file.name,
    latitude: file.latitude ?? 0,
    longitude: file.longitude ?? 0,
    ...(date?.precision === 'time' ? { dateTaken: exactTime(date, file) } : {}),
    description: file.caption ?? '',
    albums: file.albums.map(({ title }) => ({ title })),
    tags: file.tags.map(value => ({ value })),
    rating: 0,
    trashed: false,
    archived: false,
    fromPartner: false,
    ...Object.assign({}, ...file.ofFeatures.map(({ archive }) => archive)),
    heirloom: {
      date: file.edtf,
      dateSource: file.dateSource,
      place: file.location,
      folder: file.folder,
      rotation: file.rotation,
      uploadedBy: file.uploadedBy,
      ...(file.sentBy === null ? {} : { sentBy: file.sentBy }),
      uploadedAt: toIso(file.uploadedAt),
      ...Object.assign({}, ...file.ofFeatures.map(({ heirloom }) => heirloom)),
      albums: file.albums.map(album => ({ ...album, addedAt: toIso(album.addedAt) })),
      notes: file.notes.map(authoredTextJson),
      blake3: file.hash,
    },
  }
  return Buffer.from(`${JSON.stringify(facts, null, 2)}\n`)
}

export function authoredTextJson({ by, at, text }: AuthoredText) {
  return { by, at: toIso(at), text }
}

/** With the offset of the camera's clock where the date is that clock's: a date from the name is not. */
function exactTime(date: Extract<KnownDate, { precision: 'time' }>, { offset, dateSource }: ExportedFile): string {
  const isCamera = dateSource === 'metadata' || dateSource === 'sidecar'
  const offsetMinutes = date.offsetMinutes ?? (isCamera ? offset : null)
  return formatEdtf({ ...date, offsetMinutes })
}

/** One note as it is; several with the names of their authors. */
function notesOf({ notes }: ExportedFile): string | null {
  if (notes.length === 0) return null
  return notes.length === 1 ? (notes[0]?.text ?? null) : notes.map(({ by, text }) => `${by.name}: ${text}`).join('\n\n')
}
