import type { Conversation, Message } from '#contract/chat.ts'

interface Read {
  messageId: number
  at: string
}

/** In a direct conversation: the last message of mine that the other person has read, and when they did. */
export function lastReadMessage(
  { type, participants }: Conversation,
  messages: readonly Message[],
  myId: number,
): Read | undefined {
  const other = participants.find(({ id }) => id !== myId)
  if (type !== 'direct' || other === undefined || other.last_read_at === null) return undefined
  const message = messages.findLast(({ id, sender_id }) => sender_id === myId && id <= other.last_read_id)
  return message && { messageId: message.id, at: other.last_read_at }
}
