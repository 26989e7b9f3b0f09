import { changeDates, undoDates } from '#contract/dates.ts'
import type { MediaFileWithMetadata } from '#contract/media.ts'
import { correctPlaces, undoPlaces } from '#contract/places.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { useMe } from '../kit/me.tsx'
import { undoStep } from '../kit/undo.ts'
import { texts } from './texts.ts'

const labels = texts.details.undo

/** Many files, or which ones is not known. */
const files: readonly Change[] = [{ kind: 'media', ids: [] }]

interface DateProps {
  fileId: number
  correction: NonNullable<MediaFileWithMetadata['date_correction']>
}

/** One's own correction is undone for all its files, anybody's for this file. */
export function UndoDate({ fileId, correction }: DateProps) {
  const isOwn = useMe()?.id === correction.by?.id
  const undo = useAction(undoDates, {
    success: ({ restored }) => labels.dates(restored),
    failure: labels.failed,
    changes: files,
  })
  const clear = useAction(changeDates, {
    success: labels.dates(1),
    failure: labels.failed,
    changes: files,
    undo: ({ fileIds, changed_at }) => [undoStep(() => call(undoDates, { body: { fileIds, changed_at } }))],
  })
  const canUndo = isOwn && correction.files > 0
  return (
    <div className="flex flex-wrap gap-x-4">
      {canUndo && (
        <TextButton busy={undo.busy} onClick={() => void undo.run({ body: { changed_at: correction.at } })}>
          {labels.all(correction.files)}
        </TextButton>
      )}
      {correction.found_source !== null && !(canUndo && correction.files === 1) && (
        <TextButton
          busy={clear.busy}
          onClick={() => void clear.run({ body: { fileIds: [fileId], change: { kind: 'clear' } } })}
        >
          {labels.found[correction.found_source]}
        </TextButton>
      )}
    </div>
  )
}

interface PlaceProps {
  fileId: number
  correction: NonNullable<MediaFileWithMetadata['place_correction']>
}

export function UndoPlace({ fileId, correction }: PlaceProps) {
  const { by, change_id, files: count, camera } = correction
  const isOwn = useMe()?.id === by.id
  const undo = useAction(undoPlaces, {
    success: ({ restored }) => labels.places(restored),
    failure: labels.failed,
    changes: files,
  })
  const clear = useAction(correctPlaces, {
    success: labels.places(1),
    failure: labels.failed,
    changes: files,
    undo: answer => [undoStep(() => call(undoPlaces, { body: { change_id: answer.change_id } }))],
  })
  const canUndo = isOwn && change_id !== null
  return (
    <div className="flex flex-wrap gap-x-4">
      {canUndo && (
        <TextButton busy={undo.busy} onClick={() => void undo.run({ body: { change_id } })}>
          {labels.all(count)}
        </TextButton>
      )}
      {camera !== null && !(canUndo && count === 1) && (
        <TextButton busy={clear.busy} onClick={() => void clear.run({ body: { fileIds: [fileId], place: 'camera' } })}>
          {labels.cameraPlace}
        </TextButton>
      )}
    </div>
  )
}

function TextButton({ busy, onClick, children }: { busy: boolean; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      disabled={busy}
      onClick={onClick}
      className="min-h-touch text-left font-semibold text-accent underline underline-offset-4"
    >
      {children}
    </button>
  )
}
