import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import type { GridFile } from '#contract/grid.ts'
import { lengths } from '#contract/limits.ts'
import { renameMedia } from '#contract/media.ts'
import { useAction } from '../../kit/action.ts'
import { selectBaseName } from '../../media/file-name.ts'
import { undoRename } from '../../media/undo.ts'
import { texts } from '../texts.ts'

/** A rename in progress. The gallery keeps it, because the field is remounted when its file moves. */
export interface Renaming {
  /** Of the file. */
  id: number
  /** Distinguishes it from a later rename of the same file. */
  startedAt: number
  /** What has been typed. */
  draft?: { name: string; caret: number }
  saving?: boolean
}

/** Null ends the rename. */
export type ChangeRenaming = (of: Renaming, change: Partial<Renaming> | null) => void

interface Props {
  file: GridFile
  renaming: Renaming
  onChange: ChangeRenaming
}

/** The name, edited in place: Enter saves, Escape cancels, and an empty name is ignored. */
export function RenameField({ file, renaming, onChange }: Props) {
  const name = renaming.draft?.name ?? file.original_name
  const field = useRef<HTMLInputElement>(null)
  // A field that disappears loses the focus, which must not save again.
  const closed = useRef(false)
  const caretOnMount = useRef(renaming.draft?.caret)
  useLayoutEffect(() => takeFocus(field.current, caretOnMount.current), [])
  const rename = useAction(renameMedia, {
    success: texts.rename.success,
    failure: texts.rename.failure,
    changes: [{ kind: 'media', ids: [file.id] }],
    undo: undoRename(file),
  })

  async function save() {
    if (closed.current || renaming.saving) return
    closed.current = true
    const newName = name.trim()
    if (newName !== '' && newName !== file.original_name) {
      onChange(renaming, { saving: true })
      const worked = await rename.run({ params: { id: file.id }, body: { newName } })
      if (!worked) {
        // A rejected name can be corrected.
        closed.current = false
        return onChange(renaming, { saving: false })
      }
    }
    onChange(renaming, null)
  }

  function cancel() {
    closed.current = true
    onChange(renaming, null)
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
      readOnly={renaming.saving}
      onChange={({ target: { value, selectionStart } }) =>
        onChange(renaming, { draft: { name: value, caret: selectionStart ?? value.length } })
      }
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
