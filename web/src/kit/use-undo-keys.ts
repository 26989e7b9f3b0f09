import { useEffect } from 'react'
import { forgetUndo, undoLast } from './undo-history.ts'

/** Ctrl+Z, or ⌘Z, undoes what this page did last. Text fields have an undo of their own, and a question waits for its answer. */
export function useUndoKeys(): void {
  useEffect(() => {
    const listening = new AbortController()
    document.addEventListener('keydown', onKeyDown, { signal: listening.signal })
    return () => {
      listening.abort()
      // The next person who signs in here has done nothing yet.
      forgetUndo()
    }
  }, [])
}

function onKeyDown(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  if (!isUndo || event.repeat || event.defaultPrevented || isTextField(event.target)) return
  if (document.querySelector('[role=alertdialog]') !== null) return
  event.preventDefault()
  void undoLast()
}

const withoutText = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color', 'image']

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !withoutText.includes(target.type)
  return target.isContentEditable || target.closest('textarea') !== null
}
