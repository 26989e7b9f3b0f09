import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addToGroup,
  type Conversation,
  createGroup,
  leaveGroup,
  listConversations,
  listMessages,
  type Message,
  readConversation,
  renameGroup,
  type SharedFile,
  sendMessage,
  startDirect,
} from '#contract/chat.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { polls } from '#contract/limits.ts'
import { showFailure, useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { type Change, invalidate } from '../kit/changes.ts'
import { logError } from '../kit/log.ts'
import { type Sent, type ShownCall, sendOrWait } from '../kit/outbox/page-outbox.ts'
import { endpointKey, query } from '../kit/queries.ts'
import { usePollInterval } from '../live/status.ts'
import { failureInWords } from '../outbox/words.ts'
import { type FetchPage, fetchNewest, fetchOlder, type History, withMessage } from './conversation/history.ts'
import { texts } from './texts.ts'

const conversationsQuery = {
  ...query(listConversations, {}),
  meta: { log: 'The conversations could not be loaded' },
}

/** Sorted by the newest message. Polled only while `open`. */
export function useConversations({ open }: { open: boolean }) {
  const poll = usePollInterval(polls.chat)
  const { data, error, isFetching, refetch } = useQuery({ ...conversationsQuery, refetchInterval: open && poll })
  return { conversations: data, error: isFetching ? null : error, retry: () => void refetch() }
}

export function useUnreadMessages(): number {
  const unread = (conversations: readonly Conversation[]) =>
    conversations.reduce((sum, { unread_count }) => sum + unread_count, 0)
  return useQuery({ ...conversationsQuery, select: unread }).data ?? 0
}

/** A message that the server has not confirmed yet. */
export type PendingMessage = Extract<ShownCall, { kind: 'message' }>

/** Resolves to what became of it, at the latest when the server cannot be reached. */
export async function send(
  conversationId: number,
  content: string,
  media: SharedFile | null = null,
): Promise<Sent<typeof sendMessage>['status']> {
  const file = media === null ? {} : { media_id: media.id }
  const input = { params: { id: conversationId }, body: { content, ...file } }
  const outcome = await sendOrWait(sendMessage, input, media).settled
  if (outcome.status === 'refused') {
    showFailure(failureInWords({ kind: 'message', conversation: conversationId, content, media }), outcome.error)
  }
  return outcome.status
}

function historyQuery(client: QueryClient, id: number) {
  return queryOptions<History>({
    queryKey: historyKey(id),
    queryFn: ({ signal }) => fetchNewest(pagesOf(id, signal), () => client.getQueryData<History>(historyKey(id))),
    // Comparing a long history costs more than rendering it; `fetchNewest` keeps unchanged messages.
    structuralSharing: false,
    meta: { log: 'The messages could not be loaded' },
  })
}

function historyKey(id: number) {
  return [...endpointKey(listMessages), { params: { id } }]
}

function pagesOf(id: number, signal?: AbortSignal): FetchPage {
  return (limit, before) =>
    call(listMessages, { params: { id }, query: { limit, ...(before === undefined ? {} : { before }) } }, signal)
}

export function useHistory(id: number) {
  const client = useQueryClient()
  const refetchInterval = usePollInterval(polls.chat)
  const { data, error, isFetching, refetch } = useQuery({ ...historyQuery(client, id), refetchInterval })
  const [readingOlder, setReadingOlder] = useState(false)

  async function loadOlder() {
    if (data === undefined || readingOlder) return
    setReadingOlder(true)
    try {
      const join = await fetchOlder(pagesOf(id), data)
      client.setQueryData<History>(historyKey(id), now => now && join(now))
    } catch (error) {
      logError('Older messages could not be loaded', error)
    } finally {
      setReadingOlder(false)
    }
  }
  return { history: data, error: isFetching ? null : error, retry: () => void refetch(), loadOlder, readingOlder }
}

/** Adds a confirmed message to the cached history without a fetch. */
export function addSentMessage(client: QueryClient, conversationId: number, message: Message): void {
  client.setQueryData<History>(historyKey(conversationId), history => history && withMessage(history, message))
  // The history is up to date; the list still has to show the message as the newest of its conversation.
  void invalidate(client, { kind: 'conversations', id: conversationId })
}

export async function markRead(client: QueryClient, id: number): Promise<void> {
  try {
    await call(readConversation, { params: { id } })
    void invalidate(client, { kind: 'conversations', id }, { kind: 'notifications' })
  } catch (error) {
    logError('A conversation could not be marked as read', error)
  }
}

const newConversation: Change[] = [{ kind: 'conversations', id: null }]

function changedConversation({
  params,
}: CallInput<typeof renameGroup | typeof addToGroup | typeof leaveGroup>): Change[] {
  return [{ kind: 'conversations', id: Number(params.id) }]
}

function useAddToList(onShown: (conversation: Conversation) => void) {
  const client = useQueryClient()
  return (conversation: Conversation) => {
    client.setQueryData(conversationsQuery.queryKey, (known = []) => [
      conversation,
      ...known.filter(({ id }) => id !== conversation.id),
    ])
    onShown(conversation)
  }
}

export function useStartDirect(onStarted: (conversation: Conversation) => void) {
  const whenDone = useAddToList(onStarted)
  return useAction(startDirect, { failure: texts.start.failure, changes: newConversation, whenDone })
}

export function useCreateGroup(onCreated: (conversation: Conversation) => void) {
  const whenDone = useAddToList(onCreated)
  return useAction(createGroup, { failure: texts.start.failure, changes: newConversation, whenDone })
}

export function useRenameGroup() {
  return useAction(renameGroup, { failure: texts.group.renameFailed, changes: changedConversation })
}

export function useAddToGroup() {
  return useAction(addToGroup, { failure: texts.group.addFailed, changes: changedConversation })
}

export function useLeaveGroup() {
  return useAction(leaveGroup, { failure: texts.group.leaveFailed, changes: changedConversation })
}
