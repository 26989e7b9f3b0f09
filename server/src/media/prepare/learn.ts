import type { PhotoMetadata } from '#contract/metadata.ts'
import type { MediaRow, NewMedia } from '../../db/schema.ts'
import { cameraName } from '../../processing/metadata.ts'
import { columnsFor, takenBy } from '../columns.ts'
import type { PrepareDeps } from './orders.ts'

/** What the original itself says, over what a client said of it; and the name of the place, found offline. */
export async function learn(
  { tools }: PrepareDeps,
  media: MediaRow,
  path: string,
  signal: AbortSignal,
): Promise<Partial<NewMedia>> {
  const told: PhotoMetadata | null = media.metadata ? JSON.parse(media.metadata) : null
  const name = media.uploaded_name ?? media.original_name
  const read = await tools.readMetadata(path, { signal, ownerId: media.uploaded_by, name })
  const metadata = merge(told, read.metadata)
  const { latitude, longitude } = metadata
  const location = latitude != null && longitude != null ? ((await tools.placeName(latitude, longitude)) ?? null) : null
  return columnsFor({
    name: media.original_name,
    metadata,
    location,
    uploadedName: media.uploaded_name,
    taken: read.takenAt ?? (read.takenOn ? null : takenBy(told)),
    takenOn: read.takenOn,
    camera: cameraName(metadata.make, metadata.model),
    fileDate: media.file_date,
    uploadedAt: media.uploaded_at,
    homeTimeZone: tools.homeTimeZone,
  })
}

/** Field by field: the server's reading wins where both speak. */
function merge(told: PhotoMetadata | null, read: PhotoMetadata): PhotoMetadata {
  const spoken = Object.entries(read).filter(([, value]) => value !== null && value !== undefined)
  return { ...told, ...Object.fromEntries(spoken) }
}
