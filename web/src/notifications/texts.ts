import type { NotificationType } from '#contract/notifications.ts'
import { formatCount } from '../kit/format.ts'

export const texts = {
  title: 'Notifications',
  /** For screen readers, instead of the badge. */
  titleWithUnread: (unread: number) => `Notifications, ${formatCount(unread)} unread`,
  close: 'Close',
  empty: 'No notifications yet',
  loading: 'Loading…',
  loadFailed: 'Your notifications could not be loaded.',
  retry: 'Try again',
  kinds: {
    mention: 'Mention',
    tag: 'Tag',
    comment: 'Comment',
    message: 'Message',
    other: 'News',
  } satisfies Record<NotificationType, string>,
  unread: 'Unread',
  markRead: 'Mark as read',
  markReadFailed: 'Failed to mark notification as read',
  markAllRead: 'Mark all read',
  allRead: { success: 'All notifications marked as read', failure: 'Failed to mark all notifications as read' },
  delete: 'Delete',
  deleteFailed: 'Failed to delete notification',
  justNow: 'Just now',
  minutesAgo: (minutes: number) => `${minutes}m ago`,
  hoursAgo: (hours: number) => `${hours}h ago`,
  daysAgo: (days: number) => `${days}d ago`,
} as const
