import { Check, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { toast } from 'sonner'
import type { Folder } from '#contract/folders.ts'
import { lengths } from '#contract/limits.ts'
import { useIsMounted } from '../../ui/hooks.ts'
import { useUpdateFolder } from '../queries.ts'
import { texts } from '../texts.ts'

/** Edits the name in place. Enter saves, Escape cancels. */
export function RenameField({ folder, onDone }: { folder: Folder; onDone: () => void }) {
  const [draft, setDraft] = useState(folder.name)
  const update = useUpdateFolder()
  const isMounted = useIsMounted()

  async function save() {
    const name = draft.trim()
    if (name === '') return void toast.error(texts.nameMissing)
    // A refused name can be corrected.
    const worked = name === folder.name || (await update.run({ params: { id: folder.id }, body: { name } }))
    // Another folder may be in edit mode by now.
    if (worked && isMounted()) onDone()
  }

  function onKeyDown(event: KeyboardEvent) {
    // The tree and a drawer around it handle keys too.
    event.stopPropagation()
    if (event.key !== 'Escape') return
    // It would also be a phone's Back, which closes the drawer.
    event.preventDefault()
    onDone()
  }
  return (
    <form
      data-part="field"
      className="flex min-w-0 flex-1 items-center"
      onKeyDown={onKeyDown}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <input
        ref={selectAll}
        aria-label={texts.rename.field}
        value={draft}
        maxLength={lengths.folderName}
        dir="auto"
        autoComplete="off"
        readOnly={update.busy}
        onChange={event => setDraft(event.target.value)}
        className="min-w-0 flex-1 rounded-control border border-accent bg-raised px-2 py-1 text-ink"
      />
      <button
        type="submit"
        aria-label={texts.rename.save}
        title={texts.rename.save}
        aria-disabled={update.busy}
        className="folder-button"
      >
        <Check aria-hidden="true" className="size-4" />
      </button>
      <button
        type="button"
        aria-label={texts.rename.cancel}
        title={texts.rename.cancel}
        onClick={onDone}
        className="folder-button"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </form>
  )
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
