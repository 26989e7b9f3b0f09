import { type FormEvent, useEffect, useRef } from 'react'
import { lengths } from '#contract/limits.ts'
import type { Person } from '#contract/people.ts'
import { MentionField } from '../mentions/MentionField.tsx'
import { Button } from '../ui/Button.tsx'
import { useIsMounted } from '../ui/hooks.ts'
import { deleteDraft, saveDraft, useDraft } from './drafts.ts'
import { texts } from './texts.ts'

interface Props {
  /** The key of the draft. */
  draft: string
  label: string
  initial: string
  people: readonly Person[]
  busy: boolean
  /** Resolves to whether it worked; the text is kept if not. */
  onSave: (content: string) => Promise<boolean>
  onClose: () => void
}

/** Escape closes the form and keeps the draft, Cancel discards it. */
export function NoteForm({ draft, label, initial, people, busy, onSave, onClose }: Props) {
  const [text, setText] = useDraft(draft, initial)
  const isMounted = useIsMounted()
  const field = useRef<HTMLTextAreaElement | HTMLInputElement>(null)
  useEffect(() => {
    const { current } = field
    current?.focus()
    // With its buttons, above the tab bar and the chat button of a phone.
    current?.form?.scrollIntoView({ block: 'nearest' })
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])

  async function save() {
    const content = text.trim()
    if (content === '' || busy) return
    if (content === initial) return cancel()
    // Another note may be in edit mode by now.
    if ((await saveDraft(draft, text, () => onSave(content))) && isMounted()) onClose()
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void save()
  }

  function cancel() {
    deleteDraft(draft)
    onClose()
  }
  return (
    <form className="flex flex-col gap-2 tabs:scroll-mb-[calc(var(--bottom-bar)+6rem)]" onSubmit={onSubmit}>
      <MentionField
        ref={field}
        label={label}
        value={text}
        onChange={setText}
        people={people}
        placeholder={texts.placeholder}
        maxLength={lengths.note}
        readOnly={busy}
        multiline
        submitOn="Ctrl+Enter"
        onSubmit={() => void save()}
        onCancel={onClose}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={cancel}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}
