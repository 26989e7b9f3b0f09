import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { Conversation, Message } from '#contract/chat.ts'
import { markRead } from '../queries.ts'
import type { History } from './history.ts'

/** Marks messages as read while the end of the conversation is visible. */
export function useMarkAsRead({ id, unread_count }: Conversation, { messages }: History, atEnd: boolean): void {
  const client = useQueryClient()
  const looked = useSyncExternalStore(onVisibilityChange, isVisible)
  const newest = messages.at(-1)?.id
  const unread = unread_count > 0 && newest !== undefined && atEnd && looked
  useEffect(() => {
    if (unread && newest !== undefined) void markRead(client, id)
  }, [client, id, unread, newest])
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

interface Read {
  messageId: number
  at: string
}

/** In a direct conversation: my last message that the other person has read, and when. */
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
