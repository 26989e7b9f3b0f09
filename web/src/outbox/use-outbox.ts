import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from 'sonner'
import { showFailure } from '../kit/action.ts'
import { invalidate } from '../kit/changes.ts'
import { changesOf, readCall } from '../kit/outbox/calls.ts'
import { outbox } from '../kit/outbox/page-outbox.ts'
import { texts } from '../kit/outbox/texts.ts'
import { onReachable } from '../kit/reachability.ts'
import { failureInWords } from './words.ts'

const sentToast = 'outbox-sent'
/** What is sent within this time counts as one message. */
const SENT_TOGETHER = 5_000

/** Sends what waits for as long as the person is signed in, and says what became of it. */
export function useOutbox(personId: number): void {
  const client = useQueryClient()
  useEffect(() => {
    let sent = { count: 0, at: 0 }
    const stopObserving = outbox.observe({
      onSent: (call, _, waited) => {
        if (!waited) return
        const waiting = readCall(call)
        if (waiting !== undefined) void invalidate(client, ...changesOf(waiting, personId))
        sent = { count: Date.now() - sent.at < SENT_TOGETHER ? sent.count + 1 : 1, at: Date.now() }
        // A message shows by itself that it has been sent.
        if (waiting?.kind !== 'message') toast.success(texts.sent({ count: sent.count }), { id: sentToast })
      },
      onRefused: (call, error, waited) => {
        const waiting = readCall(call)
        if (waiting === undefined || !waited) return
        // Notes, comments and messages are drafts again, where their words are complete.
        const isDraft = 'content' in waiting && waiting.content !== ''
        const reasons = [error instanceof Error ? error.message : '', isDraft ? texts.inDraft : '']
        showFailure(failureInWords(waiting), error, { description: reasons.filter(Boolean).join(' ') })
        void invalidate(client, ...changesOf(waiting, personId))
      },
    })
    const stopWatching = onReachable(() => outbox.wake())
    void outbox.open(personId)
    return () => {
      stopObserving()
      stopWatching()
      outbox.close()
    }
  }, [client, personId])
}
