import { DAY } from '#contract/limits.ts'
import type { FileType } from '#contract/media.ts'
import type { NotificationTarget, NotificationType } from '#contract/notifications.ts'
import type { Handle, NotificationRow } from '../db/schema.ts'

/** A notification joined with its subject; null if the subject is deleted or no longer visible to the reader. */
export interface NotificationFacts {
  type: NotificationType
  more_files: number
  /** In days since 1970. */
  memory_day?: number | null
  actor_name: string | null
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
  title: string
  message: string
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

export type AggregatedFacts = Pick<NotificationFacts, 'album_id' | 'album_title'> & { id: number }

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
    title: `${someone(facts)} would like to join`,
    message: 'Let them in, or turn them away, on the admin page.',
    target: { kind: 'admin' },
  }),
  welcome: (_facts: NotificationFacts, libraryTitle: string) => ({
    title: "You're in",
    message: `Welcome to ${libraryTitle}. Have a look around, or add the first photos of your own.`,
    target: { kind: 'library' },
  }),
} satisfies Partial<Record<Subject, Render>>

function renderNote(facts: NotificationFacts): RenderedNotification {
  const { type, file_name, comment } = facts
  const file = kindOfFile(facts)
  const title =
    type === 'mention' ? `${someone(facts)} mentioned you in a note` : `${someone(facts)} wrote a note on your ${file}`
  if (file_name === null) return gone(title, `The ${file} has been deleted since.`)
  const message = comment === null ? 'The note has been deleted since.' : excerpt(comment)
  return { title, message: `${file_name}: ${message}`, target: targetFile(facts) }
}

function renderTag(facts: NotificationFacts): RenderedNotification {
  const { file_name, more_files } = facts
  const file = kindOfFile(facts)
  const title = `${someone(facts)} tagged ${more_files > 0 ? `${more_files + 1} of your files` : `your ${file}`}`
  if (file_name === null) return gone(title, `The ${file} has been deleted since.`)
  const which = more_files > 0 ? `${file_name} and ${more_files} more` : file_name
  return { title, message: `${which}: ${facts.tag_name ?? ''}`, target: targetFile(facts) }
}

/** As in "Rose and 2 others". */
export function namesOf(people: readonly string[]): string {
  const [first = 'Somebody', second] = people
  return second === undefined ? first : `${first} and ${people.length === 2 ? second : `${people.length - 1} others`}`
}

function renderAlbumComment(facts: NotificationFacts): RenderedNotification {
  const { type, album_id, album_title, comment_id, comment } = facts
  const title =
    type === 'mention'
      ? `${someone(facts)} mentioned you in a comment on an album`
      : `${someone(facts)} wrote a comment on your album`
  if (album_id === null || album_title === null) return gone(title, 'The album has been deleted since.')
  const message = comment === null ? 'The comment has been deleted since.' : excerpt(comment)
  return { title, message: `${album_title}: ${message}`, target: { kind: 'album', album_id, comment_id } }
}

function renderMemories({ more_files: count, memory_day }: NotificationFacts): RenderedNotification {
  return {
    title: `On this day: ${count === 1 ? '1 photo' : `${count} photos`}`,
    message: 'Photos of this day in other years.',
    target: { kind: 'memories', day: new Date((memory_day ?? 0) * DAY).toISOString().slice(5, 10) },
  }
}

function renderMessage(facts: NotificationFacts): RenderedNotification {
  const { type, conversation_id, conversation_title, message_content } = facts
  const where = conversation_title === null ? '' : ` in ${conversation_title}`
  const title =
    type === 'mention' ? `${someone(facts)} mentioned you${where}` : `${someone(facts)} wrote to you${where}`
  if (conversation_id === null || message_content === null) {
    return gone(title, 'You are not in this conversation any more.')
  }
  return {
    title,
    message: excerpt(message_content) || 'A photo or video',
    target: { kind: 'conversation', conversation_id },
  }
}

/** Of something that has been deleted. */
export function gone(title: string, message: string): RenderedNotification {
  return { title, message, target: null }
}

function someone({ actor_name }: NotificationFacts): string {
  return actor_name ?? 'Somebody'
}

function kindOfFile({ file_type }: NotificationFacts): string {
  return file_type === null ? 'file' : file_type === 'image' ? 'photo' : 'video'
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
