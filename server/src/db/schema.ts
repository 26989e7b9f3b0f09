import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { AlbumAndLinkTables } from './tables/albums-and-links.ts'
import type { ImportTables } from './tables/imports.ts'
import type { MailTables } from './tables/mail.ts'
import type { MediaTables } from './tables/media.ts'
import type { MessageTables } from './tables/messages.ts'
import type { PeopleTables } from './tables/people.ts'
import type { PushTables } from './tables/push.ts'
import type { ServerTables } from './tables/server.ts'
import type { WebdavTables } from './tables/webdav.ts'

/**
 * Times are epoch milliseconds, JSON is text, and flags are nullable times, so that both engines are alike. To add a
 * column: a new migration in `migrations/` and a field in `tables/`.
 */
export interface Schema
  extends PeopleTables,
    MediaTables,
    AlbumAndLinkTables,
    MessageTables,
    ImportTables,
    MailTables,
    PushTables,
    ServerTables,
    WebdavTables {}

/** For queries and single statements; several writes belong in `Database.transaction`. */
export type Handle = Kysely<Schema>
export type Tx = Transaction<Schema>

export type { PartKind } from './tables/media.ts'
export type PersonRow = Selectable<Schema['people']>
export type NewPerson = Insertable<Schema['people']>
export type MailRow = Selectable<Schema['mails']>
export type PushSubscriptionRow = Selectable<Schema['push_subscriptions']>
export type InboxEntryRow = Selectable<Schema['inbox_entries']>
export type JobRow = Selectable<Schema['jobs']>
export type FolderRow = Selectable<Schema['folders']>
export type MediaRow = Selectable<Schema['media']>
export type NewMedia = Insertable<Schema['media']>
export type LinkRow = Selectable<Schema['links']>
export type NewLink = Insertable<Schema['links']>
export type GuestRow = Selectable<Schema['guests']>
export type GuestUploadRow = Selectable<Schema['guest_uploads']>
export type MessageRow = Selectable<Schema['messages']>
export type NewMessage = Insertable<Schema['messages']>
export type ChangeRow = Selectable<Schema['changes']>
export type PlaceCorrectionRow = Selectable<Schema['place_corrections']>
export type ImportRow = Selectable<Schema['imports']>
export type MediaPartRow = Selectable<Schema['media_parts']>
export type AlbumRow = Selectable<Schema['albums']>
export type CommentRow = Selectable<Schema['comments']>
export type NewComment = Insertable<Schema['comments']>
export type TagRow = Selectable<Schema['tags']>
export type NotificationRow = Selectable<Schema['notifications']>
export type NewNotification = Insertable<Schema['notifications']>
