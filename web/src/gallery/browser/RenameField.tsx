import { type KeyboardEvent, useLayoutEffect, useReducer, useRef, useState } from 'react'
import type { GridFile } from '#contract/grid.ts'
import { lengths } from '#contract/limits.ts'
import { renameMedia } from '#contract/media.ts'
import { useAction } from '../../kit/action.ts'
import { selectBaseName } from '../../media/file-name.ts'
import { undoRename } from '../../media/undo.ts'
import { texts } from '../texts.ts'

/** A rename in progress. The typed text is kept here, because the field is remounted when its file moves. */
export interface Renaming {
  readonly id: number
  written?: { name: string; caret: number }
  /** Being saved or cancelled. */
  done?: true | undefined
}

interface Props {
  file: GridFile
  renaming: Renaming
  onDone: (renaming: Renaming) => void
}

/** The name, edited in place: Enter saves, Escape cancels, and an empty name is ignored. */
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
      const worked = await rename.run({ params: { id: file.id }, body: { newName } }, { undo: undoRename(file) })
      if (!worked) {
        // A rejected name can be corrected.
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
    // The grid uses arrow keys, Space and letters itself.
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
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

/** Restores the caret if the person was typing. */
function takeFocus(field: HTMLInputElement | null, caret: number | undefined): void {
  if (field === null) return
  selectBaseName(field)
  if (caret !== undefined) field.setSelectionRange(caret, caret)
}
