import { useQuery } from '@tanstack/react-query'
import { CalendarClock, FolderInput, MapPin, ShieldCheck } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { MediaFile, MediaFileWithMetadata } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { formatDateAndTime, formatSize } from '../kit/format.ts'
import { foldersQuery } from '../kit/queries.ts'
import { texts as kitTexts } from '../kit/texts.ts'
import { dateInWords } from '../media/date-words.ts'
import { formatCoordinates, formatDuration } from '../media/format.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { PersonLink } from '../ui/PersonLink.tsx'
import { dimensions, exposure } from './file-facts.ts'
import { texts } from './texts.ts'
import { UndoDate, UndoOthers, UndoPlace } from './UndoChanges.tsx'

// Lazy: the map needs an atlas that most photos do not show.
const PlaceMap = lazy(() => import('./PlaceMap.tsx'))

/** Where its date is from is known once the file is loaded. */
type DatedFile = MediaFile &
  Partial<
    Pick<
      MediaFileWithMetadata,
      'caption_source' | 'date_source' | 'date_correction' | 'doubtful_taken_at' | 'place_correction' | 'undoable'
    >
  >

type Correction = NonNullable<MediaFileWithMetadata['date_correction']>

interface Props {
  file: DatedFile
  /** Undefined while loading. */
  metadata: PhotoMetadata | null | undefined
  onMove?: ((file: MediaFile) => void) | undefined
  onChangeDate?: ((file: MediaFile) => void) | undefined
  onChangePlace?: ((file: MediaFile) => void) | undefined
  onRehash?: ((file: MediaFile) => void) | undefined
}

/** Facts about a file: when, where and with which camera it was taken, its size, and who uploaded it. */
export function Details({ file, metadata, onMove, onChangeDate, onChangePlace, onRehash }: Props) {
  const labels = texts.details
  const { uploaded_by, sent_by } = file
  const uploadedAt = formatDateAndTime(file.uploaded_at)
  return (
    <section aria-labelledby="viewer-details">
      <h3 id="viewer-details" className="mb-2 font-semibold">
        {labels.heading}
      </h3>
      <dl className="flex flex-col gap-3 text-small">
        {file.caption_source === 'photo' && <Fact name={texts.caption.label}>{labels.captionFromPhoto}</Fact>}
        <DateFact file={file} onChange={onChangeDate} />
        <Place file={file} onChange={onChangePlace} />
        <Fact name={labels.camera}>{file.camera}</Fact>
        <Fact name={labels.exposure}>{metadata ? exposure(metadata) : undefined}</Fact>
        <Fact name={labels.dimensions}>{dimensions(file)}</Fact>
        {file.duration !== null && <Fact name={labels.duration}>{formatDuration(file.duration)}</Fact>}
        <Fact name={labels.size}>{formatSize(file.file_size)}</Fact>
        {sent_by !== null && (
          <Fact name={labels.sentBy}>
            <bdi>{sent_by}</bdi> {labels.guest}
          </Fact>
        )}
        <Fact name={sent_by === null ? labels.uploaded : labels.accepted}>
          {uploaded_by === null ? (
            uploadedAt
          ) : (
            <>
              {labels.by} <PersonLink id={uploaded_by.id} name={uploaded_by.name} />, {uploadedAt}
            </>
          )}
        </Fact>
        <Folder file={file} onMove={onMove} />
        {onMove !== undefined && <UndoOthers undoable={file.undoable} except={shownWithTheirFact(file)} />}
        <Format file={file} onRehash={onRehash} />
      </dl>
    </section>
  )
}

/** What only few people look for: last. */
function Format({ file, onRehash }: Pick<Props, 'file' | 'onRehash'>) {
  return (
    <Fact name={texts.details.format}>
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0">{file.mime_type}</span>
        {onRehash !== undefined && (
          <Button
            variant="bare"
            icon={<ShieldCheck aria-hidden="true" className="size-5" />}
            onClick={() => onRehash(file)}
          >
            {texts.rehash}
          </Button>
        )}
      </span>
    </Fact>
  )
}

/** A correction that went back to what was found is shown with the others. */
function shownWithTheirFact({ date_correction, place_correction }: DatedFile): string[] {
  return [...(date_correction == null ? [] : ['media.date']), ...(place_correction == null ? [] : ['media.place'])]
}

/** Renders nothing for an unknown value. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === '') return null
  return (
    <div>
      <dt className="text-fine text-ink-soft">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function DateFact({ file, onChange }: { file: DatedFile; onChange: Props['onChangeDate'] }) {
  const { edtf, taken_at, date_source: source, date_correction: correction, doubtful_taken_at: doubtful } = file
  const labels = texts.details
  // Known once the file is loaded.
  if (source === undefined) return null
  return (
    <Fact name={taken_at === null ? labels.date : labels.taken}>
      <span className="flex items-center justify-between gap-2">
        <span className="min-w-0">{dateInWords(taken_at ?? edtf, 'time')}</span>
        {onChange !== undefined && (
          <IconButton label={labels.changeDate} onClick={() => onChange(file)}>
            <CalendarClock aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </span>
      {correction != null ? (
        <p className="text-ink-soft">{correctionInWords(correction)}</p>
      ) : (
        source !== null && <p className="text-ink-soft">{labels.dateFrom[source]}</p>
      )}
      {doubtful != null && <p className="text-ink-soft">{labels.doubtful({ date: dateInWords(doubtful, 'time') })}</p>}
      {correction != null && onChange !== undefined && (
        <UndoDate fileId={file.id} undoable={file.undoable} correction={correction} />
      )}
    </Fact>
  )
}

/** Who corrected it and when, and what was found before. */
function correctionInWords({ by, at, found, found_source: source }: Correction): string {
  const labels = texts.details
  const moment = formatDateAndTime(at)
  return [
    by == null ? labels.corrected({ moment }) : labels.correctedBy({ name: by.name, moment }),
    source == null ? labels.foundNowhere : labels.found[source]({ date: dateInWords(found, 'time') }),
  ].join(' ')
}

interface PlaceProps {
  file: DatedFile
  onChange: Props['onChangePlace']
}

function Place({ file, onChange }: PlaceProps) {
  const { latitude, longitude, location, place_correction: corrected } = file
  const labels = texts.details
  const isKnown = latitude !== null && longitude !== null
  if (!isKnown && location === null && corrected == null && onChange === undefined) return null
  const where = isKnown ? formatCoordinates(latitude, longitude) : undefined
  const camera = corrected?.camera
  return (
    <Fact name={labels.place}>
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0">
          <span className="block">{location ?? where ?? labels.noPlace}</span>
          {location !== null && where !== undefined && <span className="block text-ink-soft">{where}</span>}
        </span>
        {onChange !== undefined && (
          <IconButton label={labels.changePlace} onClick={() => onChange(file)}>
            <MapPin aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </div>
      {corrected != null && (
        <p className="text-ink-soft">
          {labels.placeBy({ name: corrected.by.name, moment: formatDateAndTime(corrected.at) })}
          {camera != null &&
            ` ${labels.cameraPlace({ place: camera.location ?? formatCoordinates(camera.latitude, camera.longitude) })}`}
        </p>
      )}
      {corrected != null && onChange !== undefined && (
        <UndoPlace fileId={file.id} undoable={file.undoable} correction={corrected} />
      )}
      {isKnown && where !== undefined && (
        <div className="mt-2 aspect-video overflow-hidden rounded-card bg-sunken">
          <Suspense>
            <PlaceMap latitude={latitude} longitude={longitude} name={location ?? where} />
          </Suspense>
        </div>
      )}
    </Fact>
  )
}

function Folder({ file, onMove }: Pick<Props, 'file' | 'onMove'>) {
  const { data: folders } = useQuery(foldersQuery)
  const folder = folders?.find(({ id }) => id === file.folder_id)
  const path = file.folder_id === null ? undefined : (folder?.path ?? '…')
  return (
    <Fact name={texts.details.folder}>
      <span className="flex items-center justify-between gap-2">
        <bdi className="min-w-0">{path ?? kitTexts.noFolder}</bdi>
        {onMove !== undefined && (
          <IconButton
            label={path === undefined ? texts.details.move : texts.details.moveFrom({ folder: path })}
            onClick={() => onMove(file)}
          >
            <FolderInput aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </span>
    </Fact>
  )
}
