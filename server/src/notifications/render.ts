import { DAY } from '#contract/limits.ts'
import type { FileType } from '#contract/media.ts'
import type { NotificationTarget, NotificationType } from '#contract/notifications.ts'
import type { Handle, NotificationRow, PersonRow } from '../db/schema.ts'
import { type Notice, notice } from './notices.ts'

/** A notification joined with its subject; null if the subject is deleted or no longer visible to the reader. */
export interface NotificationFacts {
  type: NotificationType
  more_files: number
  /** In days since 1970. */
  memory_day?: number | null
  actor_name: string | null
  /** Of the actor, for an access request. */
  actor_status?: PersonRow['status'] | null
  media_id: number | null
  file_name: string | null
  file_type: FileType | null
  tag_name: string | null
  album_id: number | null
  album_title: string | null
  comment_id: number | null
  comment: string | null
  conversation_id: number | null
  conversation_title: string | null
  message_content: string | null
}

export interface RenderedNotification {
  title: Notice
  message: Notice
  target: NotificationTarget | null
}

type Subject = NotificationRow['subject']
/** The kinds that are rendered from their own row. */
export type RenderedSubject = keyof typeof renderers
type Render = (facts: NotificationFacts, libraryTitle: string) => RenderedNotification

/**
 * The kinds that sum up what several people did. Their features have the rows: they read what these notifications say and
 * return how it is put.
 */
export type AggregatedNotifications = Record<
  Exclude<Subject, RenderedSubject>,
  (handle: Handle, ids: readonly number[]) => Promise<(facts: AggregatedFacts) => RenderedNotification>
>

export type AggregatedFacts = Pick<NotificationFacts, 'actor_name' | 'album_id' | 'album_title'> & { id: number }

export function isAggregated(subject: Subject): subject is keyof AggregatedNotifications {
  return !(subject in renderers)
}

/** The text of a notification and the link that it opens. */
export function renderNotification(
  subject: RenderedSubject,
  facts: NotificationFacts,
  libraryTitle: string,
): RenderedNotification {
  return renderers[subject](facts, libraryTitle)
}

const renderers = {
  note: renderNote,
  tag: renderTag,
  album: renderAlbumComment,
  message: renderMessage,
  memories: renderMemories,
  access_request: (facts: NotificationFacts) => ({
    title: notice('accessRequest.title', { name: someone(facts) }),
    message: answerOfRequest(facts),
    target: { kind: 'admin' },
  }),
  welcome: (_facts: NotificationFacts, library: string) => ({
    title: notice('welcome.title'),
    message: notice('welcome.text', { library }),
    target: { kind: 'library' },
  }),
} satisfies Partial<Record<Subject, Render>>

function answerOfRequest(facts: NotificationFacts): Notice {
  const { actor_status: status } = facts
  if (status == null || status === 'pending') return notice('accessRequest.text')
  return notice('accessRequest.answered', {
    name: someone(facts),
    status: status === 'approved' || status === 'denied' ? status : 'other',
  })
}

function renderNote(facts: NotificationFacts): RenderedNotification {
  const { type, file_name: file, comment } = facts
  const name = someone(facts)
  const title =
    type === 'mention' ? notice('note.mention', { name }) : notice('note.written', { name, kind: kindOfFile(facts) })
  if (file === null) return gone(title, notice('fileDeleted'))
  const message = comment === null ? notice('note.deleted') : notice('note.text', { text: excerpt(comment) })
  return { title, message, target: targetFile(facts) }
}

function renderTag(facts: NotificationFacts): RenderedNotification {
  const { file_name: file, more_files: more, tag_name } = facts
  const name = someone(facts)
  const title =
    more > 0 ? notice('tag.several', { name, count: more + 1 }) : notice('tag.one', { name, kind: kindOfFile(facts) })
  if (file === null) return gone(title, notice('fileDeleted'))
  return { title, message: notice('tag.text', { tag: tag_name ?? '' }), target: targetFile(facts) }
}

/** The first two by name, and how many others than the first there are, as in "Rose and 2 others". */
export function valuesOfPeople(people: readonly string[]): { name: string; second: string; others: number } {
  const [name = SOMEBODY, second = ''] = people
  return { name, second, others: Math.max(0, people.length - 1) }
}

function renderAlbumComment(facts: NotificationFacts): RenderedNotification {
  const { type, album_id, album_title: album, comment_id, comment } = facts
  const title = notice(type === 'mention' ? 'album.mention' : 'album.written', { name: someone(facts) })
  if (album_id === null || album === null) return gone(title, notice('albumDeleted'))
  const message =
    comment === null ? notice('album.deleted', { album }) : notice('album.text', { album, text: excerpt(comment) })
  return { title, message, target: { kind: 'album', album_id, comment_id } }
}

function renderMemories({ more_files: count, memory_day }: NotificationFacts): RenderedNotification {
  return {
    title: notice('memories.title', { count }),
    message: notice('memories.text'),
    target: { kind: 'memories', day: new Date((memory_day ?? 0) * DAY).toISOString().slice(5, 10) },
  }
}

function renderMessage(facts: NotificationFacts): RenderedNotification {
  const { type, conversation_id, conversation_title: conversation, message_content } = facts
  const name = someone(facts)
  const title =
    conversation === null
      ? notice(type === 'mention' ? 'message.mention' : 'message.written', { name })
      : notice(type === 'mention' ? 'message.mentionIn' : 'message.writtenIn', { name, conversation })
  if (conversation_id === null || message_content === null) return gone(title, notice('message.gone'))
  const text = excerpt(message_content)
  return {
    title,
    message: text === '' ? notice('message.files') : notice('message.text', { text }),
    target: { kind: 'conversation', conversation_id },
  }
}

/** Of something that has been deleted. */
export function gone(title: Notice, message: Notice): RenderedNotification {
  return { title, message, target: null }
}

function someone({ actor_name }: NotificationFacts): string {
  return actor_name ?? SOMEBODY
}

/** Does not occur: accounts are not deleted. */
const SOMEBODY = 'Somebody'

function kindOfFile({ file_type }: NotificationFacts): 'photo' | 'video' | 'other' {
  return file_type === null ? 'other' : file_type === 'image' ? 'photo' : 'video'
}

function targetFile({ media_id, comment_id }: NotificationFacts): NotificationTarget | null {
  return media_id === null ? null : { kind: 'media', media_id, note_id: comment_id }
}

const LONGEST_EXCERPT = 140

/** The start of a text, on one line. */
function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= LONGEST_EXCERPT ? line : `${characters.slice(0, LONGEST_EXCERPT).join('').trimEnd()}…`
}
