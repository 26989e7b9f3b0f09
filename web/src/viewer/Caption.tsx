import { Pencil } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { lengths } from '#contract/limits.ts'
import { captionMedia, type MediaFile } from '#contract/media.ts'
import { useAction } from '../kit/action.ts'
import { useCan } from '../kit/me.tsx'
import { undoOfChange } from '../kit/undo.ts'
import { texts } from './texts.ts'

/** The caption below the photo. Members edit it in place: Enter saves, Escape cancels. */
export function Caption({ file }: { file: MediaFile }) {
  const mayEdit = useCan('media.edit')
  const { caption } = file
  const [draft, setDraft] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { run } = useAction(captionMedia, {
    success: answer => (answer.caption === null ? texts.caption.removed : texts.caption.saved),
    failure: texts.caption.failed,
    changes: [{ kind: 'media', ids: [file.id] }],
    undo: ({ change_id }) => undoOfChange({ changed: 1, change_id }),
  })

  async function close({ save }: { save: boolean }) {
    const written = draft?.replace(/\s+/g, ' ').trim() ?? ''
    setDraft(null)
    if (!save || written === (caption ?? '')) return
    const body = { caption: written === '' ? null : written, expected: caption }
    // Refused words can be corrected, unless the person is writing others already.
    if (!(await run({ params: { id: file.id }, body }))) setDraft(now => now ?? written)
  }

  function onKeyDown(event: KeyboardEvent) {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    void close({ save: event.key === 'Enter' })
    // After the button is rendered again.
    requestAnimationFrame(() => button.current?.focus({ preventScroll: true }))
  }

  if (draft !== null) {
    return (
      <CaptionField
        draft={draft}
        onChange={setDraft}
        onKeyDown={onKeyDown}
        onLeave={() => void close({ save: true })}
      />
    )
  }
  if (!mayEdit) {
    if (caption === null) return null
    return (
      <div className="viewer-caption">
        <p className="viewer-caption-text">
          <bdi>{caption}</bdi>
        </p>
      </div>
    )
  }
  return (
    <div className="viewer-caption">
      <button
        ref={button}
        type="button"
        onClick={() => setDraft(caption ?? '')}
        className={`viewer-caption-text viewer-caption-button ${caption === null ? 'viewer-chrome' : ''}`}
      >
        {caption === null ? texts.caption.add : <bdi>{caption}</bdi>}
        {caption !== null && <span className="sr-only">. {texts.caption.edit}</span>}
        <Pencil aria-hidden="true" className="viewer-chrome size-4 shrink-0 opacity-70" />
      </button>
    </div>
  )
}

interface FieldProps {
  draft: string
  onChange: (draft: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  onLeave: () => void
}

function CaptionField({ draft, onChange, onKeyDown, onLeave }: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { current } = field
    current?.focus({ preventScroll: true })
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  return (
    <div className="viewer-caption" data-editing>
      <textarea
        ref={field}
        aria-label={texts.caption.label}
        placeholder={texts.caption.placeholder}
        value={draft}
        rows={1}
        maxLength={lengths.caption}
        dir="auto"
        enterKeyHint="done"
        onChange={event => onChange(event.target.value.replace(/[\r\n]+/g, ' '))}
        onKeyDown={onKeyDown}
        onBlur={onLeave}
        className="viewer-caption-field"
      />
    </div>
  )
}
