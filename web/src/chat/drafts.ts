import { useState } from 'react'

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

/** A message that the server has refused can be sent elsewhere. It follows what has been begun. */
export function restoreDraft(personId: number, conversationId: number, text: string): void {
  const key = `${draftPrefix}${personId}.${conversationId}`
  const lines = [localStorage.getItem(key), text].filter(Boolean)
  localStorage.setItem(key, lines.join('\n'))
}

/** On sign-out, for shared devices. */
export function clearDrafts(): void {
  for (const key of draftKeys()) localStorage.removeItem(key)
}

export function hasDrafts(): boolean {
  return draftKeys().length > 0
}

function draftKeys(): string[] {
  return Object.keys(localStorage).filter(key => key.startsWith(draftPrefix))
}
