import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { Message } from '#contract/chat.ts'
import type { User } from '#contract/people.ts'
import { recordMoment } from '../kit/moments.ts'
import { readCall } from '../kit/outbox/calls.ts'
import { outbox, useWaitingCalls } from '../kit/outbox/page-outbox.ts'
import { isConnected, onConnectedChange } from '../live/status.ts'
import { restoreDraft } from './drafts.ts'
import { adoptOldOutbox } from './old-outbox.ts'
import { addSentMessage, type PendingMessage } from './queries.ts'

interface Chat {
  me: User
  open: boolean
  /** The open conversation; null: the list. Kept while the chat is closed. */
  conversationId: number | null
  show: (conversationId: number | null) => void
  /** Opens the chat with the last conversation. */
  reopen: () => void
  close: () => void
}

const ChatContext = createContext<Chat | null>(null)

export function ChatProvider({ me, children }: { me: User; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const [conversationId, setConversationId] = useState<number | null>(null)
  useSentMessages(me.id)
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
    }),
    [me, open, conversationId],
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
  const all = useWaitingCalls()
  return useMemo(
    () => all.filter(call => call.kind === 'message').filter(call => call.conversation === conversationId),
    [all, conversationId],
  )
}

/** Lives as long as the person is signed in, also while the chat is closed. */
function useSentMessages(personId: number): void {
  const client = useQueryClient()
  useEffect(() => {
    adoptOldOutbox(personId)
    const stopObserving = outbox.observe({
      onSent: (call, answer) => {
        const message = readCall(call)
        const sent = Message.safeParse(answer).data
        if (message?.kind !== 'message' || !sent) return
        addSentMessage(client, message.conversation, sent)
        recordMoment()
      },
      onRefused: call => {
        const message = readCall(call)
        if (message?.kind === 'message') restoreDraft(personId, message.conversation, message.content)
      },
    })
    // Sooner than the next attempt: the live stream notices at once that the server is back.
    const stopWatching = onConnectedChange(() => isConnected() && outbox.wake())
    return () => {
      stopObserving()
      stopWatching()
    }
  }, [client, personId])
}
