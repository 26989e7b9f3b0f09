import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Note } from '#contract/notes.ts'
import type { Person } from '#contract/people.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { useCanEditNote } from '../kit/me.tsx'
import { MentionText } from '../mentions/MentionText.tsx'
import { confirmInDialog } from '../ui/confirm.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { PersonLink } from '../ui/PersonLink.tsx'
import { NoteForm } from './NoteForm.tsx'
import { useDeleteNote, useUpdateNote } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  fileId: number
  note: Note
  people: readonly Person[]
  editing: boolean
  /** Whether a link led to this note. */
  highlighted: boolean
  onEdit: () => void
  onEdited: () => void
}

export function NoteItem({ fileId, note, people, editing, highlighted, onEdit, onEdited }: Props) {
  const item = useRef<HTMLLIElement>(null)
  const edit = useRef<HTMLButtonElement>(null)
  const update = useUpdateNote(fileId, note)
  const remove = useDeleteNote(fileId)
  const mayEdit = useCanEditNote(note)
  useEffect(() => {
    if (highlighted) item.current?.scrollIntoView({ block: 'center' })
  }, [highlighted])

  async function onDelete() {
    const { title, confirm: text, button } = texts.delete
    if (await confirmInDialog({ title, text, label: button })) void remove.run({ params: { id: note.id } })
  }

  function close() {
    onEdited()
    // After the button is rendered again.
    requestAnimationFrame(() => edit.current?.focus())
  }
  return (
    <li
      ref={item}
      aria-current={highlighted || undefined}
      className={`rounded-card border bg-raised p-3 ${highlighted ? 'border-accent' : 'border-line'}`}
    >
      <div className="flex items-start justify-between gap-1">
        <p className="min-w-0 text-small">
          <span className="font-semibold">
            <PersonLink id={people.find(({ username }) => username === note.username)?.id} name={note.name} />
          </span>{' '}
          <span className="text-ink-soft">@{note.username}</span>
          <br />
          <span className="text-fine text-ink-soft">
            <time dateTime={note.created_at}>{formatDateAndTime(note.created_at)}</time>
            {note.edited_at !== null && <span title={formatDateAndTime(note.edited_at)}>, {texts.edited}</span>}
          </span>
        </p>
        {mayEdit && (
          <div className="-mt-2 -mr-2 flex shrink-0">
            <IconButton ref={edit} label={texts.edit.label(note.name)} aria-pressed={editing} onClick={onEdit}>
              <Pencil aria-hidden="true" className="size-4" />
            </IconButton>
            <IconButton label={texts.delete.label(note.name)} onClick={() => void onDelete()}>
              <Trash2 aria-hidden="true" className="size-4" />
            </IconButton>
          </div>
        )}
      </div>
      {editing ? (
        <NoteForm
          draft={String(note.id)}
          label={texts.field}
          initial={note.content}
          people={people}
          busy={update.busy}
          onSave={content => update.run({ params: { id: note.id }, body: { content } })}
          onClose={close}
        />
      ) : (
        <p className="mt-1">
          <MentionText text={note.content} people={people} />
        </p>
      )}
    </li>
  )
}
