import { StickyNote } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Note } from '#contract/notes.ts'
import type { Person } from '#contract/people.ts'
import { usePeople } from '../mentions/people.ts'
import { Button } from '../ui/Button.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { readDraft } from './drafts.ts'
import { NoteForm } from './NoteForm.tsx'
import { NoteItem } from './NoteItem.tsx'
import { useAddNote, useNotes } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  fileId: number
  /** The note that a link led to, or `new` to open the form. */
  highlighted: number | 'new' | null
}

/** The notes of a file. Remounted for each file. */
export function Notes({ fileId, highlighted }: Props) {
  const { data: notes, isError, refetch } = useNotes(fileId)
  const people = usePeople()
  return (
    <section aria-labelledby="file-notes" className="flex flex-col gap-3">
      <h3 id="file-notes" className="font-semibold">
        {texts.heading}
      </h3>
      {notes !== undefined ? (
        <NoteList fileId={fileId} notes={notes} people={people} highlighted={highlighted} />
      ) : isError ? (
        <Button onClick={() => void refetch()}>{texts.retry}</Button>
      ) : (
        <Spinner size="small" />
      )}
      <NewNote fileId={fileId} people={people} begin={highlighted === 'new'} />
    </section>
  )
}

interface ListProps {
  fileId: number
  notes: readonly Note[]
  people: readonly Person[]
  highlighted: Props['highlighted']
}

function NoteList({ fileId, notes, people, highlighted }: ListProps) {
  const holder = useKeepFocus<HTMLUListElement>()
  // Only one at a time; the text of another is kept as its draft.
  const [edited, setEdited] = useState<number | null>(null)
  if (notes.length === 0) return <p className="text-ink-soft text-small">{texts.none}</p>
  return (
    <ul {...holder} className="flex flex-col gap-3 focus-visible:outline-none">
      {notes.map(note => (
        <NoteItem
          key={note.id}
          fileId={fileId}
          note={note}
          people={people}
          highlighted={note.id === highlighted}
          editing={note.id === edited}
          onEdit={() => setEdited(note.id)}
          onEdited={() => setEdited(null)}
        />
      ))}
    </ul>
  )
}

interface NewNoteProps {
  fileId: number
  people: readonly Person[]
  begin: boolean
}

function NewNote({ fileId, people, begin }: NewNoteProps) {
  const draft = `new.${fileId}`
  const [open, setOpen] = useState(begin || readDraft(draft) !== null)
  const button = useRef<HTMLButtonElement>(null)
  const add = useAddNote(fileId)
  if (!open) {
    return (
      <Button ref={button} icon={<StickyNote aria-hidden="true" className="size-5" />} onClick={() => setOpen(true)}>
        {texts.new}
      </Button>
    )
  }

  function close() {
    setOpen(false)
    // After the button is rendered again.
    requestAnimationFrame(() => button.current?.focus())
  }
  return (
    <fieldset aria-label={texts.newNote} className="min-w-0 rounded-card border border-line bg-raised p-3">
      <NoteForm
        draft={draft}
        label={texts.newNote}
        initial=""
        people={people}
        busy={add.busy}
        onSave={content => add.run({ params: { id: fileId }, body: { content } })}
        onClose={close}
      />
    </fieldset>
  )
}
