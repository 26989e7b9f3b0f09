import { useEffect, useState } from 'react'
import { readCall } from '../kit/outbox/calls.ts'
import { outbox } from '../kit/outbox/page-outbox.ts'
import { readSessionPerson } from '../kit/token.ts'

/**
 * Unsaved notes, in session storage until they are saved or discarded: moving on to another photo, closing the viewer or
 * reloading the page loses nothing.
 */

const prefix = 'note-draft.'
/** An expired session keeps the drafts, and the next person to sign in may be another one. */
const nameOf = (what: string) => `${prefix}${readSessionPerson()}.${what}`

export const draftOfNote = (fileId: number) => `new.${fileId}`
export const draftOfComment = (albumId: number) => `album.${albumId}`

/** Drafts being saved. They do not count as drafts unless saving fails. */
const beingSaved = new Map<string, string>()

const restoreListeners = new Set<(name: string, text: string) => void>()

export function readDraft(what: string): string | null {
  const name = nameOf(what)
  const draft = sessionStorage.getItem(name)
  return draft === beingSaved.get(name) ? null : draft
}

/** The words follow what has been written since. */
export function restoreDraft(what: string, words: string): void {
  const name = nameOf(what)
  const draft = sessionStorage.getItem(name)
  if (draft === words) return
  const text = [draft, words].filter(Boolean).join('\n')
  sessionStorage.setItem(name, text)
  for (const listener of restoreListeners) listener(name, text)
}

/** Notes and comments that waited and that the server has refused are drafts again. */
export function useRefusedDrafts(): void {
  useEffect(
    () =>
      outbox.observe({
        onRefused: (call, _, waited) => {
          const refused = readCall(call)
          // The form that waits for the outcome still has its words.
          if (!waited) return
          if (refused?.kind === 'note') restoreDraft(draftOfNote(refused.file), refused.content)
          if (refused?.kind === 'comment') restoreDraft(draftOfComment(refused.album), refused.content)
        },
      }),
    [],
  )
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
  // The session may be another one afterwards.
  const name = nameOf(what)
  beingSaved.set(name, text)
  try {
    const saved = await save()
    const kept = sessionStorage.getItem(name)
    if (saved && kept === text) sessionStorage.removeItem(name)
    if (!saved && kept === null) sessionStorage.setItem(name, text)
    return saved
  } finally {
    beingSaved.delete(name)
  }
}

/** The draft for a key. A text equal to `initial` is not stored. */
export function useDraft(what: string, initial: string) {
  const [text, setText] = useState(() => readDraft(what) ?? initial)
  useEffect(() => {
    const onRestored = (name: string, restored: string) => {
      if (name === nameOf(what)) setText(restored)
    }
    restoreListeners.add(onRestored)
    return () => void restoreListeners.delete(onRestored)
  }, [what])
  function write(changed: string) {
    setText(changed)
    if (changed === initial) deleteDraft(what)
    else sessionStorage.setItem(nameOf(what), changed)
  }
  return [text, write] as const
}
