import { useEffect, useEffectEvent } from 'react'
import type { Selecting } from './selection/useSelection.ts'

/** Ctrl or Cmd and A selects everything, Escape nothing; not while somebody writes, or is in a dialog or menu. */
export function useGalleryKeys({ selectAll, clear }: Pick<Selecting, 'selectAll' | 'clear'>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event.target)) return
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      void selectAll()
    }
    // Also where nothing is selected yet: everything may be about to be.
    if (event.key === 'Escape') clear()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isElsewhere(target: EventTarget | null): boolean {
  const place =
    'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
  return target instanceof Element && target.closest(place) !== null
}
