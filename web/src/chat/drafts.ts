import { useState } from 'react'
import { outboxPrefix } from './outbox/outbox.ts'

/** Unsent text, in local storage, so that closing the chat or the page loses nothing. */

const draftPrefix = 'heirloom.draft.'

export function useDraft(personId: number, conversationId: number) {
  const key = `${draftPrefix}${personId}.${conversationId}`
  const [draft, setDraft] = useState(() => localStorage.getItem(key) ?? '')
  function change(text: string) {
    setDraft(text)
    if (text === '') localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  }
  return [draft, change] as const
}

/** On sign-out, for shared devices. */
export function clearDraftsAndOutbox(): void {
  for (const key of unsentKeys()) localStorage.removeItem(key)
}

export function hasUnsentMessages(): boolean {
  return unsentKeys().length > 0
}

function unsentKeys(): string[] {
  return Object.keys(localStorage).filter(key => key.startsWith(draftPrefix) || key.startsWith(outboxPrefix))
}
