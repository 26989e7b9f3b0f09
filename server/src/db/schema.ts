import type { Generated, GeneratedAlways, Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { AlbumOrder } from '#contract/albums.ts'
import type { DateSource, FileType, MediaStatus, Rotation, SortField } from '#contract/media.ts'
import type { DatePrecision } from '#contract/metadata.ts'
import type { NotificationType } from '#contract/notifications.ts'
import type { PersonStatus, StartView } from '#contract/people.ts'
import type { Role } from '#contract/rights.ts'
import type { MutableKind, OptionalKind } from '#contract/settings.ts'

/**
 * Times are epoch milliseconds, JSON is text, and flags are nullable times, so that both engines are alike. To add a
 * column: a new migration in `migrations/` and a field here.
 */
export interface Schema {
  people: PeopleTable
  email_claims: EmailClaimsTable
  invitations: InvitationsTable
  sessions: SessionsTable
  muted_notifications: MutedNotificationsTable
  sign_in_attempts: SignInAttemptsTable
  audit_log: AuditLogTable
  settings: SettingsTable
  jobs: JobsTable
  folders: FoldersTable
  media: MediaTable
  media_search_texts: MediaSearchTextsTable
  media_parts: MediaPartsTable
  place_corrections: PlaceCorrectionsTable
  media_counts: MediaCountsTable
  media_day_counts: MediaDayCountsTable
  search_text_shapes: SearchTextShapesTable
  pending_objects: PendingObjectsTable
  finished_uploads: FinishedUploadsTable
  rate_limits: RateLimitsTable
  upload_locks: UploadLocksTable
  zip_downloads: ZipDownloadsTable
  albums: AlbumsTable
  album_files: AlbumFilesTable
  album_comments: AlbumCommentsTable
  links: LinksTable
  link_files: LinkFilesTable
  guests: GuestsTable
  guest_uploads: GuestUploadsTable
  tags: TagsTable
  media_tags: MediaTagsTable
  hearts: HeartsTable
  notes: NotesTable
  visits: VisitsTable
  hidden_memory_days: HiddenMemoryDaysTable
  hidden_memories: HiddenMemoriesTable
  wanted_notifications: WantedNotificationsTable
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
  /** The source URL of the copy, to detect changes. */
  avatar_source: string | null
  role: Role
  /** `inactive`: a demo account while an identity provider is configured. */
  status: PersonStatus | 'inactive'
  /** The status to restore when the demo runs again. */
  active_status: PersonStatus | null
  requested_at: number
  reviewed_at: number | null
  /** Null if the configured e-mail lists decided, not a person. */
  reviewed_by: number | null
  /** The admin who gave the role; null if the configuration or an invitation did. */
  role_given_by: number | null
  /** The invitation that they last signed in through while their request was undecided. */
  invitation_id: number | null
  /** The name at the provider, while `name` is one that the person chose. */
  provider_name: string | null
  /** The URL of the picture at the provider. */
  provider_picture: string | null
  start_view: StartView | null
  start_sort: SortField | null
}

/** The notifications that a person does not want. */
interface MutedNotificationsTable {
  person_id: number
  kind: MutableKind
}

interface InvitationsTable {
  id: Generated<number>
  token_hash: string
  /** Null: for anybody who has the link. */
  email: string | null
  role: Role
  /** 1: people are approved at once; 0: their requests wait for an admin. */
  auto_approve: number
  uses: Generated<number>
  created_by: number
  created_at: number
  expires_at: number
  ended_at: number | null
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
  /** Until when that browser may confirm the sign-in. */
  confirm_until: number | null
  /** As in "Chrome on Android". */
  device: string | null
}

interface SignInAttemptsTable {
  state_hash: string
  /** Binds the attempt to the browser that began it. */
  browser_hash: string
  nonce: string
  code_verifier: string
  created_at: number
  invitation_id: number | null
}

interface AuditLogTable {
  id: Generated<number>
  created_at: number
  /** Null for actions of the server itself. */
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
  /** The name, normalised by `searchable`. */
  search_text: string
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
  /** Width to height as one character, see `contract/src/proportions.ts`. Follows width and height. */
  proportion: Generated<string>
  /** How far people have turned it, clockwise in degrees; the original is never changed. */
  rotation: Generated<Rotation>
  /** How far the variants, width, height and thumbhash are turned: `rotation`, once they are made again. */
  variants_rotation: Generated<Rotation>
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
  /** Which part browsers show at full size; null until one exists. */
  shown_part: 'original' | 'full' | null
  /** Whether a picture is animated: 1 or 0. */
  animated: Generated<number>
  /** Whether part of a picture could not be decoded: 1 or 0. */
  partly_damaged: Generated<number>
  /** Of a video that only some browsers play: its MIME type with codecs (`video/webm; codecs="…"`). */
  playback_type: string | null
  /** Progress of the conversion for other browsers, in percent; null while none is running. */
  compatible_progress: number | null
  /** Why the conversion failed. */
  compatible_failure: string | null
  /** Which part browsers play of a Live Photo's clip; null if it has none or it is not known yet. */
  motion_part: 'motion' | 'motion_full' | null
  status: MediaStatus
  progress: number | null
  failure_reason: string | null
  failed_at: number | null
  /** Sort keys: never null, and normalised. How the key of a date is made: `contract/src/edtf.ts`. */
  date_sort: number
  /** The same, but sorts undated files last; a generated column. */
  date_sort_asc: GeneratedAlways<number>
  /** What it is listed under (`groupOf`): the day of `date_sort` since 1970, or the number of another heading. */
  day: number
  /** The date that counts, in EDTF: a person's correction, else what was found. Null: undated. */
  date_edtf: string | null
  /** Its first and last moment, as if local time were UTC; null where it is open. */
  date_earliest: number | null
  date_latest: number | null
  date_source: DateSource | null
  date_precision: DatePrecision | null
  /** The date that was found in the file, its name or its modification time; kept beside a correction. */
  found_edtf: string | null
  found_source: Exclude<DateSource, 'person'> | null
  /** Who changed the date last and when, also if they went back to the one that was found. */
  corrected_by: number | null
  corrected_at: number | null
  /** The correction before that, as JSON, for an undo. */
  date_before: string | null
  /** The file's modification time, and its name at upload: renaming does not change the date. */
  file_date: number | null
  uploaded_name: string | null
  name_sort: string
  /** Empty where the place is unknown. */
  location_sort: string
  /** The same, but sorts unknown places last; a generated column. */
  location_sort_asc: GeneratedAlways<string>
  /** Incremented when variants are generated again, so that their URLs change. */
  version: number
  deleted_at: number | null
  deleted_by: number | null
  /** When the stored original was last verified against its hash, and when a mismatch was found. */
  verified_at: number | null
  damaged_at: number | null
}

/** The searchable text of a file itself. A separate narrow table, because searches for one or two letters scan it. */
interface MediaSearchTextsTable {
  media_id: number
  /** Name, place and camera, normalised by `searchable`. */
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
  /** A video without metadata, for guests. */
  | 'shared'

interface MediaPartsTable {
  media_id: number
  kind: PartKind
  key: string
  size: number
  mime_type: string
  width: number | null
  height: number | null
}

/** The place that people gave to a file; that of the camera is beside it, and the one before for an undo. */
interface PlaceCorrectionsTable {
  media_id: number
  /** `set`: to this place; `none`: cleared; `camera`: the camera's again. */
  kind: 'set' | 'none' | 'camera'
  latitude: number | null
  longitude: number | null
  location: string | null
  corrected_by: number
  corrected_at: number
  /** The same for all files that were corrected at once. */
  change_id: string
  camera_latitude: number | null
  camera_longitude: number | null
  camera_location: string | null
  /** What this correction replaced; null: there was none. */
  previous_kind: 'set' | 'none' | 'camera' | null
  previous_latitude: number | null
  previous_longitude: number | null
  previous_location: string | null
  previous_by: number | null
  previous_at: number | null
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

/** Files that may be downloaded as one ZIP with this token, until it expires after a few minutes. */
interface ZipDownloadsTable {
  token_hash: string
  person_id: number
  /** The download ends with this session. */
  session_hash: string | null
  /** A JSON array. */
  media_ids: string
  created_at: number
}

interface AlbumsTable {
  id: Generated<number>
  title: string
  /** The title, normalised by `searchable`. */
  search_text: string
  description: string
  file_order: AlbumOrder
  /** When its files were first ordered by hand; null: their positions are those of their adding. */
  manual_order_since: number | null
  /** The filter that fills a smart album, as JSON; null: people add the files. */
  search: string | null
  /** Null: the first file. Ignored while the file is not in the album. */
  cover_id: number | null
  created_at: number
  created_by: number
  deleted_at: number | null
  deleted_by: number | null
}

interface AlbumFilesTable {
  album_id: number
  media_id: number
  /** The order by hand, with gaps. */
  position: number
  added_at: number
  added_by: number
  /** The name of the guest who sent it, if `added_by` took it in. */
  guest: string | null
  /** Kept for a while, so that an undo restores the position and who added it. */
  removed_at: number | null
  removed_by: number | null
}

interface AlbumCommentsTable {
  id: Generated<number>
  album_id: number
  author_id: number
  content: string
  created_at: number
  edited_at: number | null
  deleted_at: number | null
  deleted_by: number | null
}

/** Secret addresses for people without an account. */
interface LinksTable {
  id: Generated<number>
  token_hash: string
  /** With its salt; null: it needs none. */
  password_hash: string | null
  title: string | null
  /** Shows what this album holds; null: the files in `link_files`. */
  album_id: number | null
  created_by: number
  created_at: number
  expires_at: number | null
  /** Whether guests may download originals: 1 or 0. */
  originals: number
  views: Generated<number>
  last_viewed_at: number | null
  ended_at: number | null
  ended_by: number | null
  /** Takes files for this album, and shows none; the other two are set with it. */
  inbox_album_id: number | null
  most_files: number | null
  most_bytes: number | null
}

interface LinkFilesTable {
  link_id: number
  media_id: number
}

/** People without an account who send files by a link. */
interface GuestsTable {
  id: Generated<number>
  /** Null once the link is removed. */
  link_id: number | null
  name: string
  created_at: number
}

/** Files that guests send. They are in `media` too, hidden as `media/guest-files.sql.ts` says until somebody takes them in. */
interface GuestUploadsTable {
  id: Generated<number>
  /** Of the resumable upload. */
  upload_id: string
  link_id: number | null
  guest_id: number
  /** Null once the album is removed for good. */
  album_id: number | null
  /** `sending`: begun, and reserves its size. */
  state: 'sending' | 'waiting' | 'accepted' | 'refused'
  /** Both null while it is sent. */
  name: string | null
  sent_at: number | null
  size: number
  begun_at: number
  /** The bytes that the guest sent; null while they are sent, and once they are purged. */
  media_id: number | null
  /** The file that the library had already, when this one was accepted. */
  held_id: number | null
  /** 1: accepting it added a file to the album, which an undo removes. */
  added_to_album: Generated<number>
  decided_at: number | null
  decided_by: number | null
}

interface TagsTable {
  id: Generated<number>
  /** In the spelling of its first user. */
  name: string
  /** The case-insensitive name, which is unique. */
  name_key: string
  /** The name, normalised by `searchable`. */
  search_text: string
}

interface MediaTagsTable {
  media_id: number
  tag_id: number
  added_at: number
  added_by: number
}

/** What people love: their favourites. */
interface HeartsTable {
  media_id: number
  person_id: number
  created_at: number
  /** The notification that tells the uploader of it; null if there is none, or the uploader has deleted it. */
  notification_id: number | null
}

/** When a person was last there, and what concerns only today. */
interface VisitsTable {
  person_id: number
  /** When a page of theirs last said so. */
  seen_at: number | null
  /** The end of the visit before this one; null: there was none, or they have seen what is new. */
  new_since: number | null
  /** Days since 1970: the day whose memories they have closed, and the last one they were notified on. */
  memories_closed_day: number | null
  memories_notified_day: number | null
}

/** What a person does not want to be reminded of. */
interface HiddenMemoryDaysTable {
  person_id: number
  /** Days since 1970. */
  day: number
  hidden_at: number
}

interface HiddenMemoriesTable {
  person_id: number
  media_id: number
  hidden_at: number
}

/** The notifications that a person has switched on. */
interface WantedNotificationsTable {
  person_id: number
  kind: OptionalKind
}

interface NotesTable {
  id: Generated<number>
  media_id: number
  author_id: number
  content: string
  /** The content, normalised by `searchable`. */
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
  subject: 'note' | 'tag' | 'hearts' | 'album' | 'guests' | 'message' | 'access_request' | 'welcome' | 'memories'
  /** Null for actions of the server itself. */
  actor_id: number | null
  /** Null again once the file is purged. */
  media_id: number | null
  /** How many more files the same action affected. */
  more_files: Generated<number>
  /** Null again once the note is deleted. */
  note_id: number | null
  tag_id: number | null
  conversation_id: number | null
  message_id: number | null
  /** Null again once the album, or the comment on it, is removed for good. */
  album_id: number | null
  album_comment_id: number | null
  /** Tells of the files that guests sent to the album from then until `created_at`. */
  guests_since: number | null
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
export type LinkRow = Selectable<LinksTable>
export type NewLink = Insertable<LinksTable>
export type GuestRow = Selectable<GuestsTable>
export type GuestUploadRow = Selectable<GuestUploadsTable>
export type MessageRow = Selectable<MessagesTable>
export type NewMessage = Insertable<MessagesTable>
export type PlaceCorrectionRow = Selectable<PlaceCorrectionsTable>
export type MediaPartRow = Selectable<MediaPartsTable>
export type AlbumRow = Selectable<AlbumsTable>
export type AlbumCommentRow = Selectable<AlbumCommentsTable>
export type TagRow = Selectable<TagsTable>
export type NewHeart = Insertable<HeartsTable>
export type NewNote = Insertable<NotesTable>
export type NoteRow = Selectable<NotesTable>
export type NotificationRow = Selectable<NotificationsTable>
export type NewNotification = Insertable<NotificationsTable>
