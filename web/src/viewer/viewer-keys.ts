import { type RefObject, useEffect, useEffectEvent } from 'react'

/** The viewer's keyboard commands. Escape is handled by the dialog. */
export type ViewerCommand =
  | 'previous'
  | 'next'
  | 'slideshow'
  | 'zoomIn'
  | 'zoomOut'
  | 'rotate'
  | 'fullscreen'
  | 'details'
  | 'delete'

const commands: Readonly<Record<string, ViewerCommand>> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  ' ': 'slideshow',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  _: 'zoomOut',
  '−': 'zoomOut',
  r: 'rotate',
  R: 'rotate',
  e: 'fullscreen',
  E: 'fullscreen',
  i: 'details',
  I: 'details',
  Delete: 'delete',
}

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

export function commandFor(press: Press): ViewerCommand | undefined {
  return valueFor(press, press.key, commands)
}

/** Keys with Ctrl, Cmd or Alt belong to the browser. */
function valueFor<T>(
  { ctrlKey, metaKey, altKey }: Press,
  key: string,
  values: Readonly<Record<string, T>>,
): T | undefined {
  return ctrlKey || metaKey || altKey || !Object.hasOwn(values, key) ? undefined : values[key]
}

const editable = 'input, textarea, select, [contenteditable]:not([contenteditable=false])'
const popups = '[role=menu], [role=listbox]'

export function isEditing(element: Element): boolean {
  return element.closest(editable) !== null
}

/** Whether the focused element handles the key itself. */
function usesKeyItself(element: Element, key: string): boolean {
  if (isEditing(element) || element.closest(popups) !== null) return true
  // A focused video handles Space and the arrow keys.
  if (element.closest('video') !== null) return key === ' ' || key.startsWith('Arrow')
  return key === ' ' && element.closest('button, a[href], summary') !== null
}

/**
 * Handles the keys anywhere in the viewer, except in text fields and menus. `more` has what other features do, by their
 * letters.
 */
export function useViewerKeys(
  viewer: RefObject<HTMLElement | null>,
  act: Record<ViewerCommand, () => void>,
  more: Readonly<Record<string, () => void>> = {},
): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    const command = commandFor(event)
    const run = command === undefined ? valueFor(event, event.key.toLowerCase(), more) : act[command]
    if (run === undefined || event.defaultPrevented || !(target instanceof Element)) return
    // The focus may be on the page behind the viewer. In another dialog, the key is not ours.
    const dialog = target.closest('[role=dialog], [role=alertdialog]')
    const ours = dialog === null || dialog === viewer.current
    if (!ours || usesKeyItself(target, event.key)) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    // In the capture phase, because the dialog stops the propagation of arrow keys.
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
}
