import { useEffect, useState } from 'react'

/** Unsent text, in local storage, so that closing the chat or the page loses nothing. */

const draftPrefix = 'heirloom.draft.'

const restoreListeners = new Set<(key: string, draft: string) => void>()

export function useDraft(personId: number, conversationId: number) {
  const key = `${draftPrefix}${personId}.${conversationId}`
  const [draft, setDraft] = useState(() => localStorage.getItem(key) ?? '')
  useEffect(() => {
    const onRestored = (restored: string, text: string) => {
      if (restored === key) setDraft(text)
    }
    const onWrittenElsewhere = (event: StorageEvent) => {
      if (event.key === key) setDraft(event.newValue ?? '')
    }
    restoreListeners.add(onRestored)
    window.addEventListener('storage', onWrittenElsewhere)
    return () => {
      restoreListeners.delete(onRestored)
      window.removeEventListener('storage', onWrittenElsewhere)
    }
  }, [key])
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
  const begun = localStorage.getItem(key) ?? ''
  // Another tab may have put it back already.
  const isThere = begun === text || begun.endsWith(`\n${text}`)
  const draft = isThere ? begun : [begun, text].filter(Boolean).join('\n')
  localStorage.setItem(key, draft)
  for (const listener of restoreListeners) listener(key, draft)
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
