import { useState } from 'react'

/**
 * What somebody began to write and has not saved. It is kept until they save it or throw it away: turning to another
 * photo, closing the viewer or reloading the page loses nothing.
 */

const nameOf = (what: string) => `note-draft.${what}`

/** Drafts on their way to the server. They are none any more, and are again if they do not arrive. */
const beingSaved = new Map<string, string>()

export function readDraft(what: string): string | null {
  const draft = sessionStorage.getItem(nameOf(what))
  return draft === beingSaved.get(what) ? null : draft
}

export function deleteDraft(what: string): void {
  sessionStorage.removeItem(nameOf(what))
}

/** Saves a draft. What is written meanwhile, where it was opened anew, is another one. */
export async function saveDraft(what: string, text: string, save: () => Promise<boolean>): Promise<boolean> {
  beingSaved.set(what, text)
  try {
    const saved = await save()
    if (saved && sessionStorage.getItem(nameOf(what)) === text) deleteDraft(what)
    return saved
  } finally {
    beingSaved.delete(what)
  }
}

/** The draft of `what`, beginning with `initial`. A draft that says nothing new is none. */
export function useDraft(what: string, initial: string) {
  const [text, setText] = useState(() => readDraft(what) ?? initial)
  function write(changed: string) {
    setText(changed)
    if (changed === initial) deleteDraft(what)
    else sessionStorage.setItem(nameOf(what), changed)
  }
  return [text, write] as const
}
