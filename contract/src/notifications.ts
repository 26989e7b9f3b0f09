import { z } from 'zod'
import { Id, IdInPath, IdInText, inText, Moment, SentenceKey, SentenceValues } from './common.ts'
import { endpoint } from './endpoint.ts'

export const NotificationType = z.enum(['mention', 'tag', 'comment', 'message', 'other'])
export type NotificationType = z.infer<typeof NotificationType>

/** The page that a click on a notification opens. */
export const NotificationTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('media'), media_id: Id, note_id: Id.nullable() }),
  z.object({ kind: z.literal('album'), album_id: Id, comment_id: Id.nullable() }),
  z.object({ kind: z.literal('guest-uploads'), album_id: Id }),
  z
    .object({ kind: z.literal('recently-deleted') })
    .describe('What others deleted of the files that the caller uploaded'),
  z.object({ kind: z.literal('conversation'), conversation_id: Id }),
  z.object({ kind: z.literal('memories'), day: z.string().describe('Of any year, as in 11-17') }),
  z.object({ kind: z.literal('admin') }),
  z.object({ kind: z.literal('library') }),
])
export type NotificationTarget = z.infer<typeof NotificationTarget>

export const Notification = z.object({
  id: Id,
  type: NotificationType,
  title: z.string().describe('In English'),
  title_key: SentenceKey,
  title_values: SentenceValues,
  message: z.string().describe('In English'),
  message_key: SentenceKey,
  message_values: SentenceValues,
  read: z.boolean(),
  created_at: Moment,
  picture: z
    .object({ thumbnail_url: z.string(), thumbhash: z.string().nullable() })
    .nullable()
    .default(null)
    .describe('Of the photo or video it is about'),
  target: NotificationTarget.nullable().describe('Null when what it was about is gone'),
})
export type Notification = z.infer<typeof Notification>

/** Cursor pagination: at most `limit` items older than the one with id `before`. */
export const PageBefore = z.object({
  limit: inText(z.number().int().min(1).max(500)).default(200),
  before: IdInText.optional(),
})

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: "The caller's notifications, newest first",
  act: 'notifications.use',
  offline: true,
  query: PageBefore,
  answer: z.array(Notification),
})

export const unreadCount = endpoint({
  method: 'GET',
  path: '/api/notifications/unread-count',
  summary: 'How many of them are unread',
  act: 'notifications.use',
  offline: true,
  answer: z.object({ count: z.number().int().nonnegative() }),
})

export const readNotification = endpoint({
  method: 'PATCH',
  path: '/api/notifications/:id/read',
  summary: 'Mark one as read',
  act: 'notifications.use',
  params: IdInPath,
})

export const readAllNotifications = endpoint({
  method: 'PATCH',
  path: '/api/notifications/read-all',
  summary: 'Mark all as read',
  act: 'notifications.use',
})

export const deleteNotification = endpoint({
  method: 'DELETE',
  path: '/api/notifications/:id',
  summary: 'Delete one',
  act: 'notifications.use',
  params: IdInPath,
})
