import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { User } from '#contract/people.ts'
import { logError } from '../kit/log.ts'
import { recordMoment } from '../kit/moments.ts'
import { onReachable } from '../kit/reachability.ts'
import { isConnected, onConnectedChange } from '../live/status.ts'
import { Outbox, type PendingMessage } from './outbox/outbox.ts'
import { addSentMessage, send } from './queries.ts'

interface Chat {
  me: User
  open: boolean
  /** The open conversation; null: the list. Kept while the chat is closed. */
  conversationId: number | null
  show: (conversationId: number | null) => void
  /** Opens the chat with the last conversation. */
  reopen: () => void
  close: () => void
  outbox: Outbox
}

const ChatContext = createContext<Chat | null>(null)

export function ChatProvider({ me, children }: { me: User; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const [conversationId, setConversationId] = useState<number | null>(null)
  const outbox = useOutbox(me.id)
  const value = useMemo<Chat>(
    () => ({
      me,
      open,
      conversationId,
      show: id => {
        setConversationId(id)
        setOpen(true)
      },
      reopen: () => setOpen(true),
      close: () => setOpen(false),
      outbox,
    }),
    [me, open, conversationId, outbox],
  )
  return <ChatContext value={value}>{children}</ChatContext>
}

export function useChat(): Chat {
  const value = useContext(ChatContext)
  if (value === null) throw new Error('useChat must be used within ChatProvider')
  return value
}

/** Pending messages of a conversation, oldest first. */
export function usePendingMessages(conversationId: number): readonly PendingMessage[] {
  const { outbox } = useChat()
  const all = useSyncExternalStore(outbox.subscribe, outbox.all)
  return useMemo(() => all.filter(waiting => waiting.conversation_id === conversationId), [all, conversationId])
}

/** Lives as long as the person is signed in, also while the chat is closed. */
function useOutbox(personId: number): Outbox {
  const client = useQueryClient()
  const outbox = useMemo(
    () =>
      new Outbox({
        storage: localStorage,
        personId,
        send,
        onSent: (message, { conversation_id }) => {
          addSentMessage(client, conversation_id, message)
          recordMoment()
        },
        onFailure: error => logError('A message could not be sent', error),
      }),
    [client, personId],
  )
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const retryAll = () => outbox.retryAll()
    window.addEventListener('storage', ({ key }) => outbox.onStorageChange(key), { signal })
    window.addEventListener('online', retryAll, { signal })
    signal.addEventListener('abort', onReachable(retryAll))
    signal.addEventListener(
      'abort',
      onConnectedChange(() => isConnected() && retryAll()),
    )
    retryAll()
    return () => leaving.abort()
  }, [outbox])
  return outbox
}
