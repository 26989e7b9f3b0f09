import { useQuery } from '@tanstack/react-query'
import { FolderInput } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { formatDateAndTime, formatSize } from '../../kit/format.ts'
import { foldersQuery } from '../../kit/queries.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { texts } from '../texts.ts'
import { coordinates, dimensions, exposure, length, takenAt } from './facts.ts'

// The map brings an atlas and its geometry along, which most photos do not need.
const PlaceMap = lazy(() => import('./PlaceMap.tsx'))

interface Props {
  file: MediaFile
  /** Undefined until it has come. */
  metadata: PhotoMetadata | null | undefined
  onMove?: ((file: MediaFile) => void) | undefined
}

/** What is known of a file: when, where and with what it was taken, how large it is, who brought it. */
export function Details({ file, metadata, onMove }: Props) {
  const words = texts.details
  const { uploaded_by } = file
  const uploadedAt = formatDateAndTime(file.uploaded_at)
  return (
    <section aria-labelledby="viewer-details">
      <h3 id="viewer-details" className="mb-2 font-semibold">
        {words.heading}
      </h3>
      {file.partly_damaged && <p className="mb-3 text-small text-ink-soft">{words.partlyDamaged}</p>}
      <dl className="flex flex-col gap-3 text-small">
        {file.taken_at !== null && <Fact name={words.taken}>{takenAt(file.taken_at)}</Fact>}
        <Place file={file} />
        <Fact name={words.camera}>{file.camera}</Fact>
        <Fact name={words.exposure}>{metadata ? exposure(metadata) : undefined}</Fact>
        <Fact name={words.dimensions}>{dimensions(file)}</Fact>
        {file.duration !== null && <Fact name={words.duration}>{length(file.duration)}</Fact>}
        <Fact name={words.size}>{formatSize(file.file_size)}</Fact>
        <Fact name={words.uploaded}>{uploaded_by === null ? uploadedAt : words.by(uploaded_by.name, uploadedAt)}</Fact>
        <Folder file={file} onMove={onMove} />
      </dl>
    </section>
  )
}

/** Nothing where nothing is known. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === '') return null
  return (
    <div>
      <dt className="text-fine text-ink-soft">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function Place({ file: { latitude, longitude, location } }: { file: MediaFile }) {
  if (latitude === null || longitude === null) return <Fact name={texts.details.place}>{location}</Fact>
  const where = coordinates(latitude, longitude)
  return (
    <Fact name={texts.details.place}>
      {location !== null && <p>{location}</p>}
      <p className="text-ink-soft">{where}</p>
      <div className="mt-2 aspect-video overflow-hidden rounded-card bg-sunken">
        <Suspense>
          <PlaceMap latitude={latitude} longitude={longitude} name={location ?? where} />
        </Suspense>
      </div>
    </Fact>
  )
}

function Folder({ file, onMove }: Pick<Props, 'file' | 'onMove'>) {
  const { data: folders } = useQuery(foldersQuery)
  const folder = folders?.find(({ id }) => id === file.folder_id)
  const name = file.folder_id === null ? texts.details.noFolder : (folder?.path ?? '…')
  return (
    <Fact name={texts.details.folder}>
      <span className="flex items-center justify-between gap-2">
        <bdi className="min-w-0">{name}</bdi>
        {onMove !== undefined && (
          <IconButton label={texts.details.moveFrom(name)} onClick={() => onMove(file)}>
            <FolderInput aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </span>
    </Fact>
  )
}
