import { type KeyboardEvent, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { lengths } from '#contract/limits.ts'
import { type MediaFile, renameMedia } from '#contract/media.ts'
import { useAction } from '../../kit/action.ts'
import { texts } from '../texts.ts'

/** A file that somebody gives another name. What they have written outlives the field, which moves with its file. */
export interface Renaming {
  readonly id: number
  written?: { name: string; caret: number }
  /** Whether it is decided: being saved, or left as it was. */
  done?: true | undefined
}

interface Props {
  file: MediaFile
  renaming: Renaming
  onDone: (renaming: Renaming) => void
}

/** The name, to be written anew where it stands. Enter saves, Escape leaves it as it was, and so does an empty name. */
export function RenameField({ file, renaming, onDone }: Props) {
  const [name, setName] = useState(renaming.written?.name ?? file.original_name)
  const field = useRef<HTMLInputElement>(null)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => takeFocus(field.current, renaming.written?.caret), [renaming])
  const rename = useAction(renameMedia, {
    success: texts.rename.success,
    failure: texts.rename.failure,
    changes: [{ kind: 'media', ids: [file.id] }],
  })

  async function save() {
    if (renaming.done) return
    renaming.done = true
    const newName = name.trim()
    if (newName !== '' && newName !== file.original_name) {
      const params = { id: file.id }
      const undo = [{ params, body: { newName: file.original_name } }]
      const worked = await rename.run({ params, body: { newName } }, { undo })
      if (!worked) {
        // A refused name stays to be corrected.
        renaming.done = undefined
        return redraw()
      }
    }
    onDone(renaming)
  }

  function write({ value, selectionStart }: HTMLInputElement) {
    renaming.written = { name: value, caret: selectionStart ?? value.length }
    setName(value)
  }

  function cancel() {
    renaming.done = true
    onDone(renaming)
  }

  function onKeyDown(event: KeyboardEvent) {
    // The grid has its own use for arrows, Space and letters.
    event.stopPropagation()
    if (event.key === 'Enter') void save()
    else if (event.key === 'Escape') cancel()
  }
  return (
    <input
      ref={field}
      data-part="rename"
      aria-label={texts.rename.field}
      value={name}
      maxLength={lengths.fileName}
      dir="auto"
      readOnly={renaming.done === true}
      onChange={event => write(event.target)}
      onKeyDown={onKeyDown}
      onBlur={() => void save()}
      className="w-full select-text rounded-control border border-accent bg-raised px-2 py-1.5 text-ink text-small shadow-high"
    />
  )
}

/** Goes on where somebody was writing; at the beginning the part before the extension is what people change. */
function takeFocus(field: HTMLInputElement | null, caret: number | undefined): void {
  if (field === null) return
  field.focus()
  const dot = field.value.lastIndexOf('.')
  if (caret !== undefined) field.setSelectionRange(caret, caret)
  else field.setSelectionRange(0, dot > 0 ? dot : field.value.length)
}
