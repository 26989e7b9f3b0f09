import { DAY } from '#contract/limits.ts'
import type { FileType } from '#contract/media.ts'
import type { NotificationTarget, NotificationType } from '#contract/notifications.ts'
import type { NotificationRow } from '../db/schema.ts'
import type { SentByGuests } from './guests.sql.ts'
import type { AggregatedHearts } from './hearts.sql.ts'

/** A notification joined with its subject; null if the subject is deleted or no longer visible to the reader. */
export interface NotificationFacts {
  type: NotificationType
  subject: NotificationRow['subject']
  more_files: number
  /** In days since 1970. */
  memory_day?: number | null
  actor_name: string | null
  media_id: number | null
  file_name: string | null
  file_type: FileType | null
  note_id: number | null
  note_content: string | null
  tag_name: string | null
  album_id: number | null
  album_title: string | null
  album_comment_id: number | null
  album_comment: string | null
  conversation_id: number | null
  conversation_title: string | null
  message_content: string | null
  /** Null if all files have been deleted. */
  hearts?: AggregatedHearts | null
  /** Null if all files have been removed. */
  guests?: SentByGuests | null
}

export interface RenderedNotification {
  title: string
  message: string
  target: NotificationTarget | null
}

/** The text of a notification and the link that it opens. */
export function renderNotification(facts: NotificationFacts, libraryTitle: string): RenderedNotification {
  return renderers[facts.subject](facts, libraryTitle)
}

const renderers: Record<
  NotificationFacts['subject'],
  (facts: NotificationFacts, libraryTitle: string) => RenderedNotification
> = {
  note: renderNote,
  tag: renderTag,
  hearts: renderHearts,
  album: renderAlbumComment,
  guests: renderGuestUploads,
  message: renderMessage,
  memories: renderMemories,
  access_request: facts => ({
    title: `${someone(facts)} would like to join`,
    message: 'Let them in, or turn them away, on the admin page.',
    target: { kind: 'admin' },
  }),
  welcome: (_facts, libraryTitle) => ({
    title: "You're in",
    message: `Welcome to ${libraryTitle}. Have a look around, or add the first photos of your own.`,
    target: { kind: 'library' },
  }),
}

function renderNote(facts: NotificationFacts): RenderedNotification {
  const { type, file_name, note_content } = facts
  const file = kindOfFile(facts)
  const title =
    type === 'mention' ? `${someone(facts)} mentioned you in a note` : `${someone(facts)} wrote a note on your ${file}`
  if (file_name === null) return gone(title, `The ${file} has been deleted since.`)
  const message = note_content === null ? 'The note has been deleted since.' : excerpt(note_content)
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

function renderHearts({ hearts }: NotificationFacts): RenderedNotification {
  if (!hearts) return gone('Somebody loves your photos', 'The photos have been deleted since.')
  const { people, files, images, latest } = hearts
  const [, second] = people
  const who = namesOf(people)
  const kind = images === files ? 'photo' : images === 0 ? 'video' : 'photos and video'
  const what = files === 1 ? `your ${kind}` : `${files} of your ${kind}s`
  return {
    title: `${who} ${second === undefined ? 'loves' : 'love'} ${what}`,
    message: files === 1 ? latest.file_name : `${latest.file_name} and ${files - 1} more`,
    target: { kind: 'media', media_id: latest.media_id, note_id: null },
  }
}

function namesOf(people: readonly string[]): string {
  const [first = 'Somebody', second] = people
  return second === undefined ? first : `${first} and ${people.length === 2 ? second : `${people.length - 1} others`}`
}

function renderGuestUploads({ guests, album_id, album_title }: NotificationFacts): RenderedNotification {
  if (!guests) return gone('Guests sent photos', 'They have been removed since.')
  const { files, videos } = guests
  const kind = videos === 0 ? 'photo' : videos === files ? 'video' : 'photos and video'
  const title = `${namesOf(guests.guests)} sent ${files === 1 ? `a ${kind}` : `${files} ${kind}s`}`
  if (album_id === null || album_title === null) return gone(title, 'The album has been deleted since.')
  const message = `Look ${files === 1 ? 'it' : 'them'} through and choose what comes into the album.`
  return { title: `${title} to ${album_title}`, message, target: { kind: 'guest-uploads', album_id } }
}

function renderAlbumComment(facts: NotificationFacts): RenderedNotification {
  const { type, album_id, album_title, album_comment_id: comment_id, album_comment } = facts
  const title =
    type === 'mention'
      ? `${someone(facts)} mentioned you in a comment on an album`
      : `${someone(facts)} wrote a comment on your album`
  if (album_id === null || album_title === null) return gone(title, 'The album has been deleted since.')
  const message = album_comment === null ? 'The comment has been deleted since.' : excerpt(album_comment)
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

function gone(title: string, message: string): RenderedNotification {
  return { title, message, target: null }
}

function someone({ actor_name }: NotificationFacts): string {
  return actor_name ?? 'Somebody'
}

function kindOfFile({ file_type }: NotificationFacts): string {
  return file_type === null ? 'file' : file_type === 'image' ? 'photo' : 'video'
}

function targetFile({ media_id, note_id }: NotificationFacts): NotificationTarget | null {
  return media_id === null ? null : { kind: 'media', media_id, note_id }
}

const LONGEST_EXCERPT = 140

/** The start of a text, on one line. */
function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= LONGEST_EXCERPT ? line : `${characters.slice(0, LONGEST_EXCERPT).join('').trimEnd()}…`
}
