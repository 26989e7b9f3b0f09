import type { Generated } from 'kysely'
import type { NotificationType } from '#contract/notifications.ts'

/** What people write to each other, and what they are notified of. */
export interface MessageTables {
  comments: CommentsTable
  notifications: NotificationsTable
  conversations: ConversationsTable
  participants: ParticipantsTable
  messages: MessagesTable
}

/** Notes on files and comments on albums. */
interface CommentsTable {
  id: Generated<number>
  /** Exactly one of these two is set. */
  media_id: number | null
  album_id: number | null
  author_id: number
  content: string
  /** The content, normalised by `searchable`. */
  search_text: string
  created_at: number
  edited_at: number | null
  /** Kept for a while, so that it can be restored. */
  deleted_at: number | null
  deleted_by: number | null
  /** The author's own id of it, by which sending it twice makes one. */
  client_id: string | null
}

/** The text is generated when the notification is read. */
interface NotificationsTable {
  id: Generated<number>
  person_id: number
  type: NotificationType
  /** The kind of subject; decides which of the columns below are set. */
  subject:
    | 'note'
    | 'tag'
    | 'hearts'
    | 'album'
    | 'guests'
    | 'deleted'
    | 'message'
    | 'access_request'
    | 'welcome'
    | 'memories'
  /** Null for actions of the server itself. */
  actor_id: number | null
  /** Null again once the file is purged. */
  media_id: number | null
  /** How many more files the same action affected. */
  more_files: Generated<number>
  /** Null again once the comment is removed for good. */
  comment_id: number | null
  tag_id: number | null
  conversation_id: number | null
  message_id: number | null
  /** Null again once the album is removed for good. */
  album_id: number | null
  /** Tells of the files that guests sent to the album from then until `created_at`. */
  guests_since: number | null
  /** Tells an uploader of what the actor deleted of theirs from then until `created_at`. */
  deleted_since: number | null
  /** The day whose memories it is about, in days since 1970. */
  memory_day: number | null
  created_at: number
  read_at: number | null
}

interface ConversationsTable {
  id: Generated<number>
  type: 'direct' | 'group'
  /** Null for a direct conversation, which each person sees under the other's name. */
  title: string | null
  /** Both ids of a direct conversation, the lower first: unique per pair. */
  pair: string | null
  created_at: number
  created_by: number
  last_message_id: number | null
  /** Time of the last message, or of the creation: the sort key of lists. */
  active_at: number
}

/** The row is deleted when somebody leaves. */
interface ParticipantsTable {
  conversation_id: number
  person_id: number
  joined_at: number
  /** Stored count of messages by others since the last read. */
  unread: Generated<number>
  last_read_id: Generated<number>
  last_read_at: number | null
}

interface MessagesTable {
  id: Generated<number>
  conversation_id: number
  sender_id: number
  content: string
  /** Null again once the file is purged. */
  media_id: number | null
  client_id: string | null
  created_at: number
}
