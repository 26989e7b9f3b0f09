import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Note } from '#contract/notes.ts'
import type { Person } from '#contract/people.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { useAppSettings } from '../kit/settings.ts'
import { texts as kitTexts } from '../kit/texts.ts'
import { MentionText } from '../mentions/MentionText.tsx'
import { confirmInDialog } from '../ui/confirm.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { PersonLink } from '../ui/PersonLink.tsx'
import { readDraft } from './drafts.ts'
import { NoteForm } from './NoteForm.tsx'
import { type KindTexts, texts } from './texts.ts'

export interface NoteItemProps {
  note: Note
  kind: KindTexts
  /** The key of its draft. */
  draft: string
  people: readonly Person[]
  mayEdit: boolean
  mayDelete: boolean
  editing: boolean
  /** Whether a link led to this note. */
  highlighted: boolean
  onEdit: () => void
  onEdited: () => void
  saving: boolean
  /** Resolves to whether it worked. */
  onSave: (content: string) => Promise<boolean>
  onDelete: () => void
}

/** A note on a file, or a comment on an album. */
export function NoteItem({ note, kind, draft, people, editing, highlighted, ...props }: NoteItemProps) {
  const { mayEdit, mayDelete, saving, onEdit, onEdited, onSave, onDelete } = props
  const { trashDays } = useAppSettings()
  const item = useRef<HTMLLIElement>(null)
  const edit = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (highlighted) item.current?.scrollIntoView({ block: 'center' })
  }, [highlighted])

  async function askAndDelete() {
    const { title, confirm: text, button } = kind.delete
    if (
      await confirmInDialog({ title, text: trashDays < 1 ? text : kitTexts.canUndo({ question: text }), label: button })
    )
      onDelete()
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
        <div className="-mt-2 -mr-2 flex shrink-0">
          {mayEdit && (
            <IconButton
              ref={edit}
              label={kind.edit.label({ author: note.name })}
              aria-pressed={editing}
              onClick={onEdit}
            >
              <Pencil aria-hidden="true" className="size-4" />
            </IconButton>
          )}
          {mayDelete && (
            <IconButton label={kind.delete.label({ author: note.name })} onClick={() => void askAndDelete()}>
              <Trash2 aria-hidden="true" className="size-4" />
            </IconButton>
          )}
        </div>
      </div>
      {editing ? (
        <NoteForm
          draft={draft}
          label={kind.field}
          initial={note.content}
          people={people}
          busy={saving}
          onSave={onSave}
          onClose={close}
        />
      ) : (
        <>
          <p className="mt-1">
            <MentionText text={note.content} people={people} />
          </p>
          {/* Editing another note closes this one, and keeps its draft. */}
          {mayEdit && readDraft(draft) !== null && <p className="mt-1 text-fine text-warn">{texts.unsaved}</p>}
        </>
      )}
    </li>
  )
}
