import type { Generated, GeneratedAlways, Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { DateSource, FileType, MediaStatus } from '#contract/media.ts'
import type { DatePrecision } from '#contract/metadata.ts'
import type { NotificationType } from '#contract/notifications.ts'
import type { PersonStatus } from '#contract/people.ts'
import type { Role } from '#contract/rights.ts'

/**
 * Times are epoch milliseconds, JSON is text, and flags are nullable times, so that both engines are alike. To add a
 * column: a new migration in `migrations/` and a field here.
 */
export interface Schema {
  people: PeopleTable
  email_claims: EmailClaimsTable
  sessions: SessionsTable
  sign_in_attempts: SignInAttemptsTable
  audit_log: AuditLogTable
  settings: SettingsTable
  jobs: JobsTable
  folders: FoldersTable
  media: MediaTable
  media_search_texts: MediaSearchTextsTable
  media_parts: MediaPartsTable
  media_counts: MediaCountsTable
  media_day_counts: MediaDayCountsTable
  search_text_shapes: SearchTextShapesTable
  pending_objects: PendingObjectsTable
  finished_uploads: FinishedUploadsTable
  rate_limits: RateLimitsTable
  upload_locks: UploadLocksTable
  zip_downloads: ZipDownloadsTable
  tags: TagsTable
  media_tags: MediaTagsTable
  notes: NotesTable
  notifications: NotificationsTable
  conversations: ConversationsTable
  participants: ParticipantsTable
  messages: MessagesTable
}

/** For queries and single statements; several writes belong in `Database.transaction`. */
export type Handle = Kysely<Schema>
export type Tx = Transaction<Schema>

interface PeopleTable {
  id: Generated<number>
  issuer: string
  subject: string
  email: string
  username: string
  name: string
  /** The storage key of the copy of their picture. */
  avatar_key: string | null
  /** The address the copy was made from, to see when it changes. */
  avatar_source: string | null
  role: Role
  /** `inactive`: a demo account while an identity provider is configured. */
  status: PersonStatus | 'inactive'
  /** What an inactive account is again once the demo runs. */
  active_status: PersonStatus | null
  requested_at: number
  reviewed_at: number | null
  /** Null where the lists of e-mails decided, not a person. */
  reviewed_by: number | null
}

/** A listed e-mail belongs to the first account that signed in with it. */
interface EmailClaimsTable {
  email: string
  person_id: number
}

interface SessionsTable {
  token_hash: string
  person_id: number
  created_at: number
  last_used_at: number
  /** The hash of the cookie of the browser that began the sign-in. */
  browser_hash: string | null
  /** Until when that browser may confirm it. */
  confirm_until: number | null
}

interface SignInAttemptsTable {
  state_hash: string
  /** Binds the attempt to the browser that began it. */
  browser_hash: string
  nonce: string
  code_verifier: string
  created_at: number
}

interface AuditLogTable {
  id: Generated<number>
  created_at: number
  /** Null for what the server did by itself. */
  actor_id: number | null
  action: string
  subject_type: string
  subject_id: number
  /** The changed values before the action, as JSON. */
  before: string | null
}

interface SettingsTable {
  name: string
  value: string
}

interface JobsTable {
  id: Generated<number>
  name: string
  payload: string
  /** Lower runs first. */
  priority: number
  run_at: number
  attempts: number
  /** The worker's lease on it; both null while it waits. A lease that expired may be taken by another worker. */
  lease_token: string | null
  lease_expires_at: number | null
  /** Set once all retries failed. */
  failed_at: number | null
  last_error: string | null
  /** At most one job with the same key waits at a time. */
  unique_key: string | null
  /** The person whose job it is; people are served in turn. 0 is the server itself. */
  owner_id: Generated<number>
}

interface FoldersTable {
  id: Generated<number>
  name: string
  /** The case-insensitive name, unique among siblings. */
  name_key: string
  parent_id: number | null
  created_at: number
  created_by: number | null
}

interface MediaTable {
  id: Generated<number>
  original_name: string
  file_type: FileType
  format: string
  mime_type: string
  file_size: number
  hash: string
  uploaded_at: number
  uploaded_by: number
  folder_id: number | null
  width: number | null
  height: number | null
  duration: number | null
  /** The camera's wall clock as if it were UTC, and its offset from UTC in minutes; either may be unknown. */
  taken_local: number | null
  taken_offset: number | null
  latitude: number | null
  longitude: number | null
  location: string | null
  camera: string | null
  thumbhash: string | null
  metadata: string | null
  /** Which part a browser can show at full size; null until there is one. */
  shown_part: 'original' | 'full' | null
  /** Whether a picture moves: 1 or 0. */
  animated: Generated<number>
  /** Whether part of a picture could not be read: 1 or 0. */
  partly_damaged: Generated<number>
  /** Of a video that only some browsers play: its type with the codecs, as they know it (`video/webm; codecs="…"`). */
  playback_type: string | null
  /** How far the version for the others has come, in percent; null while none is being made. */
  compatible_progress: number | null
  /** Why it could not be made. */
  compatible_failure: string | null
  /** Which part browsers play of a Live Photo's clip; null where there is none, or until it is known. */
  motion_part: 'motion' | 'motion_full' | null
  status: MediaStatus
  progress: number | null
  failure_reason: string | null
  failed_at: number | null
  /** What lists sort by: never null, and normalised. */
  date_sort: number
  /** The day of `date_sort`, in days since 1970. */
  day: number
  /** Where `date_sort` is from and how much of it is known; null for files from before this was stored. */
  date_source: DateSource | null
  date_precision: DatePrecision | null
  /** The file's own date (a moment), and the name it arrived with: later names do not change its date. */
  file_date: number | null
  uploaded_name: string | null
  name_sort: string
  /** Empty where the place is unknown. */
  location_sort: string
  /** The same with the unknown place last; the database fills it in. */
  location_sort_asc: GeneratedAlways<string>
  /** Incremented when variants are generated again, so that their URLs change. */
  version: number
  deleted_at: number | null
  deleted_by: number | null
  /** When the stored original was last read and compared with its hash, and when it was found changed. */
  verified_at: number | null
  damaged_at: number | null
}

/** What a search looks in of a file itself. A narrow table of its own: searches for one or two letters read all of it. */
interface MediaSearchTextsTable {
  media_id: number
  /** Name, place and camera, as `searchable` gives them. */
  search_text: string
}

export type PartKind =
  | 'original'
  | 'full'
  | 'thumbnail'
  | 'mobile'
  | 'website'
  | 'desktop'
  | 'poster'
  | 'motion'
  | 'motion_full'
  | 'compatible'
  | 'sidecar'

interface MediaPartsTable {
  media_id: number
  kind: PartKind
  key: string
  size: number
  mime_type: string
  width: number | null
  height: number | null
}

/** Stored counts, because counting a million rows takes half a second. */
interface MediaCountsTable {
  /** 0: in no folder. */
  folder_id: number
  file_type: FileType
  files: number
  bytes: number
}

/** Files that are not deleted, by day. Updated by triggers on `media` only. */
interface MediaDayCountsTable {
  day: number
  /** 0: in no folder. */
  folder_id: number
  file_type: FileType
  files: number
}

/** Search texts with their digits masked, deleted files included. Updated by triggers on `media_search_texts`. */
interface SearchTextShapesTable {
  shape: string
  files: number
}

/** Objects in storage that no file owns (yet): being written, or to be removed. What stays here is an orphan. */
interface PendingObjectsTable {
  key: string
  created_at: number
  purpose: 'writing' | 'removing'
}

/** Makes finishing a resumable upload idempotent: a retry gets the same file. */
interface FinishedUploadsTable {
  upload_id: string
  media_id: number
  finished_at: number
}

/** Files that may be downloaded as one ZIP with this token, for a few minutes. */
interface ZipDownloadsTable {
  token_hash: string
  person_id: number
  /** The download ends with this session. */
  session_hash: string | null
  /** A list, as JSON. */
  media_ids: string
  created_at: number
}

interface TagsTable {
  id: Generated<number>
  /** As its first user wrote it. */
  name: string
  /** The case-insensitive name, which is unique. */
  name_key: string
  /** The name as `searchable` gives it. */
  search_text: string
}

interface MediaTagsTable {
  media_id: number
  tag_id: number
  added_at: number
  added_by: number
}

interface NotesTable {
  id: Generated<number>
  media_id: number
  author_id: number
  content: string
  /** The content as `searchable` gives it. */
  search_text: string
  created_at: number
  edited_at: number | null
}

/** The text is generated when the notification is read. */
interface NotificationsTable {
  id: Generated<number>
  person_id: number
  type: NotificationType
  /** The kind of subject; decides which of the columns below are set. */
  subject: 'note' | 'tag' | 'message' | 'access_request' | 'welcome'
  /** Null where the product did it by itself. */
  actor_id: number | null
  /** Null again once the file is purged. */
  media_id: number | null
  /** How many more files the same action was about. */
  more_files: Generated<number>
  /** Null again once the note is deleted. */
  note_id: number | null
  tag_id: number | null
  conversation_id: number | null
  message_id: number | null
  created_at: number
  read_at: number | null
}

interface ConversationsTable {
  id: Generated<number>
  type: 'direct' | 'group'
  /** Null for a direct one, which each of the two sees under the other's name. */
  title: string | null
  /** Both people of a direct one, the lower id first: there is one for each pair. */
  pair: string | null
  created_at: number
  created_by: number
  last_message_id: number | null
  /** When the last message came, or else it was begun: lists are sorted by it. */
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

/** Requests per key in the latest time window. */
interface RateLimitsTable {
  key: string
  time_window: number
  hits: number
}

/** Leases: which request is writing to a resumable upload. */
interface UploadLocksTable {
  upload_id: string
  holder: string
  expires_at: number
  /** When another request asked the holder to release the lock. */
  requested_at: number | null
}

export type PersonRow = Selectable<PeopleTable>
export type NewPerson = Insertable<PeopleTable>
export type JobRow = Selectable<JobsTable>
export type FolderRow = Selectable<FoldersTable>
export type MediaRow = Selectable<MediaTable>
export type NewMedia = Insertable<MediaTable>
export type MessageRow = Selectable<MessagesTable>
export type NewMessage = Insertable<MessagesTable>
export type MediaPartRow = Selectable<MediaPartsTable>
export type TagRow = Selectable<TagsTable>
export type NoteRow = Selectable<NotesTable>
export type NotificationRow = Selectable<NotificationsTable>
export type NewNotification = Insertable<NotificationsTable>
