import { RotateCw, Save } from 'lucide-react'
import { rotations } from '#contract/limits.ts'
import { type MediaFile, type Rotation, rotateMedia } from '#contract/media.ts'
import { useAction } from '../kit/action.ts'
import { useCan } from '../kit/me.tsx'
import { undoOfChange } from '../kit/undo.ts'
import { texts } from './texts.ts'

interface Props {
  file: MediaFile
  /** How far the person has rotated it, in degrees. */
  degrees: number
  onRotate: () => void
}

/** Keeps a rotation for everyone. Shown while a photo is rotated. */
export function SaveRotation({ file, degrees, onRotate }: Props) {
  const mayEdit = useCan('media.edit')
  const saved = file.rotation?.saved ?? 0
  const { run, busy } = useAction(rotateMedia, {
    success: texts.saveRotation.done,
    failure: texts.saveRotation.failure,
    changes: [{ kind: 'media', ids: [file.id] }],
    undo: ({ change_id }) => undoOfChange({ changed: 1, change_id }),
  })
  const rotation = addDegrees(saved, degrees)
  if (rotation === saved || !mayEdit) return null
  return (
    <div className="viewer-rotation viewer-chrome">
      <button type="button" onClick={onRotate} className="viewer-chip">
        <RotateCw aria-hidden="true" className="size-5" />
        {texts.rotate}
      </button>
      <button
        type="button"
        disabled={busy}
        onClick={() => void run({ params: { id: file.id }, body: { rotation } })}
        className="viewer-chip"
      >
        <Save aria-hidden="true" className="size-5" />
        {texts.saveRotation.save}
      </button>
    </div>
  )
}

function addDegrees(saved: Rotation, degrees: number): Rotation {
  const sum = (saved + degrees) % 360
  return rotations.find(rotation => rotation === sum) ?? saved
}
