export { countUnread } from './inbox.sql.ts'
export { notice, noticeIn } from './notices.ts'
export {
  type AddedNotification,
  accessRequestDecided,
  conversationLeft,
  conversationRead,
  type Notified,
  notifyOfAccessRequest,
  notifyOfComment,
  notifyOfMemories,
  notifyOfMessage,
  notifyOfTag,
  notifyOfWelcome,
} from './notify.ts'
export {
  type AggregatedFacts,
  type AggregatedNotifications,
  gone,
  type RenderedNotification,
  valuesOfPeople,
} from './render.ts'
export { type UnreadDeps, unreadNotification, unreadSince } from './unread.ts'
