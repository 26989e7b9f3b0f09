import { useState } from 'react'

/**
 * What somebody began to write and has not saved. It is kept until they save it or throw it away: turning to another
 * photo, closing the viewer or reloading the page loses nothing.
 */

const nameOf = (what: string) => `note-draft.${what}`

export function draftOf(what: string): string | null {
  return sessionStorage.getItem(nameOf(what))
}

export function forgetDraft(what: string): void {
  sessionStorage.removeItem(nameOf(what))
}

/** The draft of `what`, beginning with `initial`. A draft that says nothing new is none. */
export function useDraft(what: string, initial: string) {
  const [text, setText] = useState(() => draftOf(what) ?? initial)
  function write(changed: string) {
    setText(changed)
    if (changed === initial) forgetDraft(what)
    else sessionStorage.setItem(nameOf(what), changed)
  }
  return [text, write] as const
}
