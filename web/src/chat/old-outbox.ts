import { z } from 'zod'
import { SharedFile, sendMessage } from '#contract/chat.ts'
import { Id } from '#contract/common.ts'
import { newCall } from '../kit/outbox/calls.ts'
import { outbox } from '../kit/outbox/page-outbox.ts'

const OldMessage = z.object({
  client_id: z.string(),
  conversation_id: Id,
  content: z.string(),
  media: SharedFile.nullable(),
  written_at: z.string(),
})

/** Messages that version 0.1.0 could not send, which it kept in the local storage. */
export function adoptOldOutbox(personId: number): void {
  const keys = Object.keys(localStorage).filter(key => key.startsWith(`heirloom.outbox.${personId}.`))
  const messages = keys.flatMap(key => {
    const message = OldMessage.safeParse(parsed(localStorage.getItem(key))).data
    return message === undefined ? [] : [{ key, ...message }]
  })
  for (const { key, client_id, conversation_id, content, media } of messages.sort(byTime)) {
    const body = { content, ...(media === null ? {} : { media_id: media.id }) }
    const call = newCall(sendMessage, { params: { id: conversation_id }, body }, media, client_id)
    const { stored } = outbox.add(call, client_id)
    // Where the device has no room, it stays where it is. Sending it twice changes nothing.
    void stored.then(isStored => isStored && localStorage.removeItem(key))
  }
}

function byTime(a: { written_at: string }, b: { written_at: string }): number {
  return a.written_at.localeCompare(b.written_at)
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
