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
  const read = await tools.readMetadata(path, { signal, ownerId: media.uploaded_by })
  const metadata = merge(told, read.metadata)
  const { latitude, longitude } = metadata
  const location = latitude != null && longitude != null ? ((await tools.placeName(latitude, longitude)) ?? null) : null
  return columnsFor({
    name: media.original_name,
    metadata,
    location,
    taken: read.takenAt ?? takenBy(told),
    camera: cameraName(metadata.make, metadata.model),
    // What the list went by until now, unless that was a client's word for the time it was taken.
    fileDate: media.taken_local === null ? media.date_sort : null,
    uploadedAt: media.uploaded_at,
  })
}

/** Field by field: the server's reading wins where both speak. */
function merge(told: PhotoMetadata | null, read: PhotoMetadata): PhotoMetadata {
  const spoken = Object.entries(read).filter(([, value]) => value !== null && value !== undefined)
  return { ...told, ...Object.fromEntries(spoken) }
}
