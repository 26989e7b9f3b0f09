export const texts = {
  title: 'Notifications',
  close: 'Close',
  empty: 'No notifications yet',
} as const
