import { StickyNote } from 'lucide-react'
import { useState } from 'react'
import type { Note } from '#contract/notes.ts'
import type { Person } from '#contract/people.ts'
import { useCanEditNote } from '../kit/me.tsx'
import { useWaitingCalls } from '../kit/outbox/page-outbox.ts'
import { usePeople } from '../mentions/people.ts'
import { WaitingList } from '../outbox/WaitingList.tsx'
import { Button } from '../ui/Button.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { draftOfNote } from './drafts.ts'
import { EarlierComments } from './EarlierComments.tsx'
import { NewNote } from './NewNote.tsx'
import { NoteItem } from './NoteItem.tsx'
import { useAddNote, useComments, useDeleteNote, useLoadUntil, useUpdateNote } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  fileId: number
  /** The note that a link led to, or `new` to open the form. */
  highlighted: number | 'new' | null
}

/** The notes of a file. Remounted for each file. */
export function Notes({ fileId, highlighted }: Props) {
  const list = useComments('notes', fileId)
  const { comments: notes, error, refetch } = list
  useLoadUntil(typeof highlighted === 'number' ? highlighted : 0, list)
  const people = usePeople()
  const waiting = useWaitingCalls().filter(
    call => call.kind === 'note' && call.file === fileId && call.state === 'waiting',
  )
  const draft = draftOfNote(fileId)
  const add = useAddNote(fileId, draft)
  return (
    <section aria-labelledby="file-notes" className="flex flex-col gap-3">
      <h3 id="file-notes" className="font-semibold">
        {texts.notes.heading}
      </h3>
      <EarlierComments kind="notes" list={list} />
      {notes !== undefined ? (
        <NoteList fileId={fileId} notes={notes} people={people} highlighted={highlighted} />
      ) : error !== null ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-ink-soft text-small">{error.message}</p>
          <Button onClick={() => void refetch()}>{texts.retry}</Button>
        </div>
      ) : (
        <Spinner size="small" />
      )}
      <WaitingList calls={waiting} />
      <NewNote
        kind={texts.notes}
        Icon={StickyNote}
        draft={draft}
        people={people}
        begin={highlighted === 'new'}
        wide
        busy={add.busy}
        onSave={content => add.run({ params: { id: fileId }, body: { content } })}
      />
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
  if (notes.length === 0) return <p className="text-ink-soft text-small">{texts.notes.none}</p>
  return (
    <ul {...holder} className="flex flex-col gap-3 focus-visible:outline-none">
      {notes.map(note => (
        <NoteOfFile
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

interface ItemProps extends Omit<ListProps, 'notes' | 'highlighted'> {
  note: Note
  highlighted: boolean
  editing: boolean
  onEdit: () => void
  onEdited: () => void
}

function NoteOfFile({ fileId, note, ...props }: ItemProps) {
  const update = useUpdateNote(fileId, note)
  const remove = useDeleteNote(fileId)
  const mayEdit = useCanEditNote(note)
  const params = { id: note.id }
  return (
    <NoteItem
      {...props}
      note={note}
      kind={texts.notes}
      draft={String(note.id)}
      mayEdit={mayEdit}
      mayDelete={mayEdit}
      saving={update.busy}
      onSave={content => update.run({ params, body: { content } })}
      onDelete={() => void remove.run({ params })}
    />
  )
}
