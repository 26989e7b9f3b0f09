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
  return (
    <UndoButtons
      busy={undo.busy || clear.busy}
      count={isOwn ? correction.files : 0}
      onUndo={() => void undo.run({ body: { changed_at: correction.at } })}
      found={correction.found_source && labels.found[correction.found_source]}
      onUseFound={() => void clear.run({ body: { fileIds: [fileId], change: { kind: 'clear' } } })}
    />
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
  return (
    <UndoButtons
      busy={undo.busy || clear.busy}
      count={isOwn ? count : 0}
      onUndo={() => change_id !== null && void undo.run({ body: { change_id } })}
      found={camera && labels.cameraPlace}
      onUseFound={() => void clear.run({ body: { fileIds: [fileId], place: 'camera' } })}
    />
  )
}

interface ButtonsProps {
  busy: boolean
  /** How many files the undo changes; 0: it is not possible. */
  count: number
  onUndo: () => void
  /** What this file alone can have instead; null: nothing was found. */
  found: string | null
  onUseFound: () => void
}

/** For a single file, one way back is enough. */
function UndoButtons({ busy, count, onUndo, found, onUseFound }: ButtonsProps) {
  const offered = [
    ...(count > 0 ? [{ label: labels.all(count), act: onUndo }] : []),
    ...(found !== null && count !== 1 ? [{ label: found, act: onUseFound }] : []),
  ]
  return (
    <div className="flex flex-wrap gap-x-4">
      {offered.map(({ label, act }) => (
        <button
          key={label}
          type="button"
          disabled={busy}
          onClick={act}
          className="min-h-touch text-left font-semibold text-accent underline underline-offset-4"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
