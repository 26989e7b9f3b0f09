/** What a key means in the viewer. Escape is not here: it belongs to the dialog. */
export type Meaning = 'previous' | 'next' | 'slideshow' | 'zoomIn' | 'zoomOut' | 'rotate' | 'fullscreen' | 'details'

const meanings: Readonly<Record<string, Meaning>> = {
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
  f: 'fullscreen',
  F: 'fullscreen',
  i: 'details',
  I: 'details',
}

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** With Ctrl, Cmd or Alt a key belongs to the browser. */
export function meaningOf({ key, ctrlKey, metaKey, altKey }: Press): Meaning | undefined {
  return ctrlKey || metaKey || altKey ? undefined : meanings[key]
}

const writing = 'input, textarea, select, [contenteditable]:not([contenteditable=false])'
const popups = '[role=menu], [role=listbox]'

export function isWriting(element: Element): boolean {
  return element.closest(writing) !== null
}

/** Whether the element that has the focus uses the key itself. */
export function takesKey(element: Element, key: string): boolean {
  if (isWriting(element) || element.closest(popups) !== null) return true
  // A film that was reached by keyboard is played and wound by keyboard.
  if (element.closest('video') !== null) return key === ' ' || key.startsWith('Arrow')
  return key === ' ' && element.closest('button, a[href], summary') !== null
}
