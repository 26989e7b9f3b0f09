export const texts = {
  title: 'Chat',
  close: 'Close chat',
  empty: {
    title: 'No conversations yet',
    text: 'Start a conversation with family members!',
  },
} as const
