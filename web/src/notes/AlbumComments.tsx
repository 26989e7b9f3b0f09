import { MessageSquare } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { deleteAlbumComment, restoreAlbumComment, updateAlbumComment } from '#contract/albums.ts'
import type { Note } from '#contract/notes.ts'
import type { Person } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { useCan, useMe } from '../kit/me.tsx'
import { useWaitingCalls } from '../kit/outbox/page-outbox.ts'
import { undoStep } from '../kit/undo.ts'
import { usePeople } from '../mentions/people.ts'
import { WaitingList } from '../outbox/WaitingList.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { draftOfComment } from './drafts.ts'
import { EarlierComments } from './EarlierComments.tsx'
import { NewNote } from './NewNote.tsx'
import { NoteItem } from './NoteItem.tsx'
import { useAddComment, useComments, useLoadUntil } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  albumId: number
  /** The username of who made the album. */
  creator: string
}

/** What people say about an album, below its photos. A notification leads to one of them by `#comment-5`. */
export function AlbumComments({ albumId, creator }: Props) {
  const list = useComments('comments', albumId)
  const { comments } = list
  const people = usePeople()
  const holder = useKeepFocus<HTMLUListElement>()
  const [edited, setEdited] = useState<number | null>(null)
  const section = useRef<HTMLElement>(null)
  const { hash, key } = useLocation()
  const wanted = Number(/^#comment-(\d+)$/.exec(hash)?.[1] ?? 0)
  const isListed = comments?.some(comment => comment.id === wanted) ?? false
  const isEarlier = useLoadUntil(wanted, list)
  // One that has been deleted since is not there to scroll to.
  const shown = comments !== undefined && hash.startsWith('#comment-') && !isListed && !isEarlier ? key : null
  useEffect(() => {
    if (shown !== null) section.current?.scrollIntoView({ block: 'center' })
  }, [shown])
  const waiting = useWaitingCalls().filter(
    call => call.kind === 'comment' && call.album === albumId && call.state === 'waiting',
  )
  const draft = draftOfComment(albumId)
  const add = useAddComment(albumId, draft)
  const mayWrite = useCan('notes.write')
  if (comments === undefined) return null
  return (
    <section ref={section} aria-labelledby="album-comments" className="mt-10 flex max-w-2xl flex-col gap-3">
      <h2 id="album-comments" className="font-semibold text-lead">
        {texts.comments.heading}
      </h2>
      <EarlierComments kind="comments" list={list} />
      {comments.length === 0 ? (
        <p className="text-ink-soft">{texts.comments.none}</p>
      ) : (
        <ul {...holder} className="flex flex-col gap-3 focus-visible:outline-none">
          {comments.map(comment => (
            <Comment
              key={`${comment.id}${comment.id === wanted ? key : ''}`}
              albumId={albumId}
              creator={creator}
              comment={comment}
              people={people}
              highlighted={comment.id === wanted}
              editing={comment.id === edited}
              onEdit={setEdited}
            />
          ))}
        </ul>
      )}
      <WaitingList calls={waiting} />
      {mayWrite && (
        <NewNote
          kind={texts.comments}
          Icon={MessageSquare}
          draft={draft}
          people={people}
          busy={add.busy}
          onSave={content => add.run({ params: { id: albumId }, body: { content } })}
        />
      )}
    </section>
  )
}

const changes = (albumId: number): Change[] => [{ kind: 'album-comments', album_id: albumId }]

interface CommentProps extends Props {
  comment: Note
  people: readonly Person[]
  highlighted: boolean
  editing: boolean
  onEdit: (id: number | null) => void
}

function Comment({ albumId, creator, comment, people, highlighted, editing, onEdit }: CommentProps) {
  const { id, username, content } = comment
  const me = useMe()
  const params = { id }
  const update = useAction(updateAlbumComment, {
    success: texts.comments.edit.success,
    failure: texts.comments.edit.failure,
    changes: changes(albumId),
    undo: ({ content: expected }) => [
      undoStep(() => call(updateAlbumComment, { params, body: { content, expected } })),
    ],
  })
  const remove = useAction(deleteAlbumComment, {
    success: texts.comments.delete.success,
    failure: texts.comments.delete.failure,
    changes: changes(albumId),
    undo: () => [undoStep(() => call(restoreAlbumComment, { params }))],
  })
  const mayEdit = me !== null && (me.username === username || can(me.role, 'comments.edit-others'))
  const isModerator = me !== null && can(me.role, 'albums.edit') && me.username === creator
  return (
    <NoteItem
      note={comment}
      kind={texts.comments}
      draft={`album-comment.${id}`}
      people={people}
      mayEdit={mayEdit}
      mayDelete={mayEdit || isModerator}
      editing={editing}
      highlighted={highlighted}
      onEdit={() => onEdit(id)}
      onEdited={() => onEdit(null)}
      saving={update.busy}
      onSave={text => update.run({ params, body: { content: text } })}
      onDelete={() => void remove.run({ params })}
    />
  )
}
