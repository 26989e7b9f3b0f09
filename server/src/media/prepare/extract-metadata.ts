import { PhotoMetadata } from '#contract/metadata.ts'
import type { NewMedia } from '../../db/schema.ts'
import { cameraName, type ExtractedMetadata, type MetadataWithSidecar, withSidecar } from '../../processing/metadata.ts'
import { captionOf } from '../captions.ts'
import { mediaColumns, takenAtByClient } from '../columns.ts'
import { findPart } from '../media.sql.ts'
import { type FileTask, type PrepareDeps, runOptionsOf } from './jobs.ts'

/** Metadata of the original, which takes precedence over the client's; and the place name, found offline. */
export async function extractMetadata(deps: PrepareDeps, task: FileTask): Promise<Partial<NewMedia>> {
  const { tools } = deps
  const { media, path } = task
  // Parsed, since earlier versions stored numbers that are out of bounds now.
  const fromClient = media.metadata ? PhotoMetadata.parse(JSON.parse(media.metadata)) : null
  const name = media.uploaded_name ?? media.original_name
  const file = await tools.readMetadata(path, { ...runOptionsOf(task), name })
  const { metadata: read, dateFromSidecar } = await readWithSidecar(deps, task, file)
  const metadata = merge(fromClient, read.metadata)
  // Only the year, month or day is known: the client's time is another one (such as when it was scanned).
  if (read.takenOn) metadata.dateTimeOriginal = null
  const { latitude, longitude } = metadata
  const location = latitude != null && longitude != null ? ((await tools.placeName(latitude, longitude)) ?? null) : null
  const caption = captionOf(read.description)
  const columns = mediaColumns({
    name: media.original_name,
    uploadedName: media.uploaded_name,
    metadata,
    location,
    takenAt: read.takenAt ?? (read.takenOn ? null : takenAtByClient(fromClient)),
    takenOn: read.takenOn,
    modifiedAt: read.modifiedAt,
    isVideo: media.file_type === 'video',
    edtf: read.edtf,
    fromSidecar: dateFromSidecar,
    camera: cameraName(metadata.make, metadata.model),
    fileDate: media.file_date,
    uploadedAt: media.uploaded_at,
    homeTimeZone: tools.homeTimeZone,
  })
  return caption === null ? columns : { ...columns, caption, caption_source: 'photo' }
}

async function readWithSidecar(
  { db, storage, tools }: PrepareDeps,
  task: FileTask,
  file: ExtractedMetadata,
): Promise<MetadataWithSidecar> {
  const stored = await findPart(db.query, task.media.id, 'sidecar')
  if (!stored) return { metadata: file, dateFromSidecar: false }
  const options = runOptionsOf(task)
  return withSidecar(file, await storage.withLocalCopy(stored.key, path => tools.readMetadata(path, options)))
}

/** Field by field: the server's value wins. */
function merge(fromClient: PhotoMetadata | null, read: PhotoMetadata): PhotoMetadata {
  const known = Object.entries(read).filter(([, value]) => value !== null && value !== undefined)
  return { ...fromClient, ...Object.fromEntries(known) }
}
