import { useQuery } from '@tanstack/react-query'
import { MessageSquare, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import {
  type AlbumComment,
  addAlbumComment,
  deleteAlbumComment,
  listAlbumComments,
  restoreAlbumComment,
  updateAlbumComment,
} from '#contract/albums.ts'
import type { Person } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { useMe } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { undoStep } from '../kit/undo.ts'
import { MentionText } from '../mentions/MentionText.tsx'
import { usePeople } from '../mentions/people.ts'
import { Button } from '../ui/Button.tsx'
import { confirmInDialog } from '../ui/confirm.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { PersonLink } from '../ui/PersonLink.tsx'
import { readDraft } from './drafts.ts'
import { NoteForm } from './NoteForm.tsx'
import { texts } from './texts.ts'

interface Props {
  albumId: number
  /** The username of who made the album. */
  creator: string
}

const HEADING_ID = 'album-comments'

/** What people say about an album, below its photos. */
export function AlbumComments({ albumId, creator }: Props) {
  const { data: comments } = useQuery(query(listAlbumComments, { params: { id: albumId } }, texts.comments.loadFailed))
  const people = usePeople()
  const [edited, setEdited] = useState<number | null>(null)
  const section = useRef<HTMLElement>(null)
  const { hash, key } = useLocation()
  const wanted = comments !== undefined && hash === `#${HEADING_ID}` ? key : null
  useEffect(() => {
    // A notification leads here, below all photos.
    if (wanted !== null) section.current?.scrollIntoView({ block: 'center' })
  }, [wanted])
  if (comments === undefined) return null
  return (
    <section ref={section} aria-labelledby={HEADING_ID} className="mt-10 flex max-w-2xl flex-col gap-3">
      <h2 id={HEADING_ID} className="font-semibold text-lead">
        {texts.comments.heading}
      </h2>
      {comments.length === 0 ? (
        <p className="text-ink-soft">{texts.comments.none}</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {comments.map(comment => (
            <Comment
              key={comment.id}
              albumId={albumId}
              creator={creator}
              comment={comment}
              people={people}
              editing={comment.id === edited}
              onEdit={setEdited}
            />
          ))}
        </ul>
      )}
      <NewComment albumId={albumId} people={people} />
    </section>
  )
}

const changes = (albumId: number): Change[] => [{ kind: 'album-comments', album_id: albumId }]

interface CommentProps extends Props {
  comment: AlbumComment
  people: readonly Person[]
  editing: boolean
  onEdit: (id: number | null) => void
}

function Comment({ albumId, creator, comment, people, editing, onEdit }: CommentProps) {
  const { id, name, username, content, created_at, edited_at } = comment
  const me = useMe()
  const params = { id }
  const update = useAction(updateAlbumComment, {
    ...texts.comments.edit,
    changes: changes(albumId),
    undo: ({ content: expected }) => [
      undoStep(() => call(updateAlbumComment, { params, body: { content, expected } })),
    ],
  })
  const remove = useAction(deleteAlbumComment, {
    ...texts.comments.delete,
    changes: changes(albumId),
    undo: () => [undoStep(() => call(restoreAlbumComment, { params }))],
  })
  const cares = me !== null && can(me.role, 'library.care')
  const mayEdit = cares || me?.username === username
  const mayDelete = mayEdit || (me !== null && can(me.role, 'albums.edit') && me.username === creator)

  async function deleteIt() {
    const { title, confirm, button } = texts.comments.deleting
    if (await confirmInDialog({ title, text: confirm, label: button })) void remove.run({ params })
  }
  return (
    <li className="rounded-card border border-line bg-raised p-3">
      <div className="flex items-start justify-between gap-1">
        <p className="min-w-0 text-small">
          <span className="font-semibold">
            <PersonLink id={people.find(person => person.username === username)?.id} name={name} />
          </span>{' '}
          <span className="text-ink-soft">@{username}</span>
          <br />
          <span className="text-fine text-ink-soft">
            <time dateTime={created_at}>{formatDateAndTime(created_at)}</time>
            {edited_at !== null && <span title={formatDateAndTime(edited_at)}>, {texts.edited}</span>}
          </span>
        </p>
        <div className="-mt-2 -mr-2 flex shrink-0">
          {mayEdit && (
            <IconButton label={texts.comments.editLabel(name)} aria-pressed={editing} onClick={() => onEdit(id)}>
              <Pencil aria-hidden="true" className="size-4" />
            </IconButton>
          )}
          {mayDelete && (
            <IconButton label={texts.comments.deleteLabel(name)} onClick={() => void deleteIt()}>
              <Trash2 aria-hidden="true" className="size-4" />
            </IconButton>
          )}
        </div>
      </div>
      {editing ? (
        <NoteForm
          draft={`album-comment.${id}`}
          label={texts.comments.field}
          initial={content}
          people={people}
          busy={update.busy}
          onSave={text => update.run({ params, body: { content: text } })}
          onClose={() => onEdit(null)}
        />
      ) : (
        <p className="mt-1">
          <MentionText text={content} people={people} />
        </p>
      )}
    </li>
  )
}

function NewComment({ albumId, people }: { albumId: number; people: readonly Person[] }) {
  const draft = `album.${albumId}`
  const [open, setOpen] = useState(readDraft(draft) !== null)
  const button = useRef<HTMLButtonElement>(null)
  const add = useAction(addAlbumComment, {
    ...texts.comments.add,
    changes: changes(albumId),
    undo: ({ id }) => [undoStep(() => call(deleteAlbumComment, { params: { id } }))],
  })
  const me = useMe()
  if (me === null || !can(me.role, 'notes.write')) return null

  function close() {
    setOpen(false)
    // After the button is rendered again.
    requestAnimationFrame(() => button.current?.focus())
  }
  if (!open) {
    return (
      <div>
        <Button
          ref={button}
          icon={<MessageSquare aria-hidden="true" className="size-5" />}
          onClick={() => setOpen(true)}
        >
          {texts.comments.new}
        </Button>
      </div>
    )
  }
  return (
    <fieldset aria-label={texts.comments.new} className="min-w-0 rounded-card border border-line bg-raised p-3">
      <NoteForm
        draft={draft}
        label={texts.comments.field}
        initial=""
        people={people}
        busy={add.busy}
        onSave={content => add.run({ params: { id: albumId }, body: { content } })}
        onClose={close}
      />
    </fieldset>
  )
}
