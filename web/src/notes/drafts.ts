import { useState } from 'react'

/**
 * Unsaved notes, in session storage until they are saved or discarded: moving on to another photo, closing the viewer or
 * reloading the page loses nothing.
 */

const prefix = 'note-draft.'
const nameOf = (what: string) => `${prefix}${what}`

/** Drafts being saved. They do not count as drafts unless saving fails. */
const beingSaved = new Map<string, string>()

export function readDraft(what: string): string | null {
  const draft = sessionStorage.getItem(nameOf(what))
  return draft === beingSaved.get(what) ? null : draft
}

export function deleteDraft(what: string): void {
  sessionStorage.removeItem(nameOf(what))
}

/** On sign-out, for shared devices. */
export function clearNoteDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
}

/**
 * Deletes the draft after saving, unless it was changed during the request. What could not be saved is a draft again, if
 * the outbox has deleted it.
 */
export async function saveDraft(what: string, text: string, save: () => Promise<boolean>): Promise<boolean> {
  beingSaved.set(what, text)
  try {
    const saved = await save()
    const kept = sessionStorage.getItem(nameOf(what))
    if (saved && kept === text) deleteDraft(what)
    if (!saved && kept === null) sessionStorage.setItem(nameOf(what), text)
    return saved
  } finally {
    beingSaved.delete(what)
  }
}

/** The draft for a key. A text equal to `initial` is not stored. */
export function useDraft(what: string, initial: string) {
  const [text, setText] = useState(() => readDraft(what) ?? initial)
  function write(changed: string) {
    setText(changed)
    if (changed === initial) deleteDraft(what)
    else sessionStorage.setItem(nameOf(what), changed)
  }
  return [text, write] as const
}
