import type { LucideIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Person } from '#contract/people.ts'
import { Button } from '../ui/Button.tsx'
import { readDraft } from './drafts.ts'
import { NoteForm } from './NoteForm.tsx'
import type { KindTexts } from './texts.ts'

interface Props {
  kind: KindTexts
  Icon: LucideIcon
  /** The key of its draft. */
  draft: string
  people: readonly Person[]
  /** Whether the form is open from the start. */
  begin?: boolean
  /** Whether the button is as wide as its column. */
  wide?: boolean
  busy: boolean
  /** Resolves to whether it worked. */
  onSave: (content: string) => Promise<boolean>
}

/** The button that opens the form for a new note or comment. */
export function NewNote({ kind, Icon, draft, people, begin = false, wide = false, busy, onSave }: Props) {
  const [open, setOpen] = useState(begin || readDraft(draft) !== null)
  const button = useRef<HTMLButtonElement>(null)
  if (!open) {
    return (
      <div>
        <Button
          ref={button}
          wide={wide}
          icon={<Icon aria-hidden="true" className="size-5" />}
          onClick={() => setOpen(true)}
        >
          {kind.new}
        </Button>
      </div>
    )
  }

  function close() {
    setOpen(false)
    // After the button is rendered again.
    requestAnimationFrame(() => button.current?.focus())
  }
  return (
    <fieldset aria-label={kind.newLabel} className="min-w-0 rounded-card border border-line bg-raised p-3">
      <NoteForm
        draft={draft}
        label={kind.newLabel}
        initial=""
        people={people}
        busy={busy}
        onSave={onSave}
        onClose={close}
      />
    </fieldset>
  )
}
