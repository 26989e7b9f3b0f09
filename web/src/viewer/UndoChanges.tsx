import { type UndoableChange, undoChange } from '#contract/changes.ts'
import { changeDates } from '#contract/dates.ts'
import type { MediaFileWithMetadata } from '#contract/media.ts'
import { correctPlaces } from '#contract/places.ts'
import { useAction } from '../kit/action.ts'
import type { Change } from '../kit/changes.ts'
import { undoOfChange } from '../kit/undo.ts'
import { changeInWords, undoInWords, undoneInWords } from './changes-in-words.ts'
import { texts } from './texts.ts'

const labels = texts.details.undo

/** Many files, or which ones is not known. */
const files: readonly Change[] = [
  { kind: 'media', ids: [] },
  { kind: 'tags', media_id: null },
]

type Undoable = readonly UndoableChange[] | undefined

function lastOf(undoable: Undoable, kind: string): UndoableChange | undefined {
  return undoable?.find(change => change.kind === kind)
}

function useUndo(kind: string) {
  return useAction(undoChange, {
    success: ({ restored }) => undoneInWords(kind, restored),
    failure: labels.failed,
    changes: files,
  })
}

interface DateProps {
  fileId: number
  undoable: Undoable
  correction: NonNullable<MediaFileWithMetadata['date_correction']>
}

/** One's own correction is undone for all its files, anybody's for this file. */
export function UndoDate({ fileId, undoable, correction }: DateProps) {
  const clear = useAction(changeDates, {
    success: undoneInWords('media.date', 1),
    failure: labels.failed,
    changes: files,
    undo: undoOfChange,
  })
  return (
    <UndoButtons
      change={lastOf(undoable, 'media.date')}
      busy={clear.busy}
      found={correction.found_source && labels.found[correction.found_source]}
      onUseFound={() => void clear.run({ body: { fileIds: [fileId], change: { kind: 'clear' } } })}
    />
  )
}

interface PlaceProps {
  fileId: number
  undoable: Undoable
  correction: NonNullable<MediaFileWithMetadata['place_correction']>
}

export function UndoPlace({ fileId, undoable, correction }: PlaceProps) {
  const clear = useAction(correctPlaces, {
    success: undoneInWords('media.place', 1),
    failure: labels.failed,
    changes: files,
    undo: undoOfChange,
  })
  return (
    <UndoButtons
      change={lastOf(undoable, 'media.place')}
      busy={clear.busy}
      found={correction.camera && labels.cameraPlace}
      onUseFound={() => void clear.run({ body: { fileIds: [fileId], place: 'camera' } })}
    />
  )
}

interface OthersProps {
  undoable: Undoable
  /** The kinds that are shown elsewhere. */
  except: readonly string[]
}

/** What else the person has changed of this file, with an Undo each. */
export function UndoOthers({ undoable = [], except }: OthersProps) {
  const shown = undoable.filter(change => !except.includes(change.kind))
  if (shown.length === 0) return null
  return (
    <div>
      <dt className="text-fine text-ink-soft">{labels.others}</dt>
      {shown.map(change => (
        <dd key={change.id} className="wrap-anywhere">
          {changeInWords(change)} <UndoButtons change={change} />
        </dd>
      ))}
    </div>
  )
}

interface ButtonsProps {
  /** Undefined: there is none that can be undone. */
  change: UndoableChange | undefined
  busy?: boolean
  /** What this file alone can have instead; null: nothing was found. */
  found?: string | null
  onUseFound?: () => void
}

/** For a single file, one way back is enough. */
function UndoButtons({ change, busy = false, found = null, onUseFound = () => {} }: ButtonsProps) {
  const undo = useUndo(change?.kind ?? '')
  const id = change?.id
  const offered = [
    ...(id === undefined
      ? []
      : [{ label: undoInWords(change?.files ?? 1), act: () => void undo.run({ params: { id } }) }]),
    ...(found !== null && change?.files !== 1 ? [{ label: found, act: onUseFound }] : []),
  ]
  return (
    <div className="flex flex-wrap gap-x-4">
      {offered.map(({ label, act }) => (
        <button
          key={label}
          type="button"
          disabled={busy || undo.busy}
          onClick={act}
          className="min-h-touch text-left font-semibold text-accent underline underline-offset-4"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
