import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { Toaster as Sonner } from 'sonner'

interface Props {
  /** How long a toast stays, in milliseconds. */
  duration: number
  label: string
  closeLabel: string
}

/** A portal, so that toasts appear above dialogs. */
export function Toaster({ duration, label, closeLabel }: Props) {
  useEffect(resumeWhenReleased, [])
  useEffect(undoByKeyboard, [])
  useEffect(leaveFocusAlone, [])
  return createPortal(
    <Sonner
      position="top-right"
      duration={duration}
      // Where they cover no control; see styles.css.
      offset={{ top: 'var(--toast-top)', right: 'var(--toast-right)' }}
      mobileOffset={{ top: 'var(--toast-top)', right: '0.75rem', left: '0.75rem' }}
      containerAriaLabel={label}
      closeButton
      icons={{
        close: <X aria-hidden="true" className="size-4" />,
        success: <CircleCheck aria-hidden="true" className="size-5 text-ok" />,
        error: <CircleAlert aria-hidden="true" className="size-5 text-danger" />,
        warning: <TriangleAlert aria-hidden="true" className="size-5 text-warn" />,
      }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: closeLabel,
        classNames: {
          toast: 'toast',
          title: 'font-semibold',
          description: 'text-small text-ink-soft',
          closeButton: 'toast-close',
          actionButton: 'toast-action',
          cancelButton: 'toast-cancel',
        },
      }}
    />,
    document.body,
  )
}

/** Ctrl+Z, or ⌘Z, is the Undo of the newest toast, the only action that toasts have. Fields have an undo of their own. */
function undoByKeyboard(): () => void {
  const listening = new AbortController()
  document.addEventListener(
    'keydown',
    event => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      const isInField = event.target instanceof Element && event.target.closest('input, textarea') !== null
      if (!isUndo || isInField) return
      document.querySelector<HTMLElement>('[data-sonner-toast]:not([data-removed=true]) .toast-action')?.click()
    },
    { signal: listening.signal },
  )
  return () => listening.abort()
}

const isToast = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-sonner-toaster]') !== null

/**
 * Sonner moves the focus back to where it was before a toast when the last toast goes, even if somebody is writing
 * elsewhere by then. It ignores what it believes to belong to a toast that stays, so this marks everything so, and moves
 * the focus only if it was lost with the toast.
 */
function leaveFocusAlone(): () => void {
  const listening = new AbortController()
  let before: HTMLElement | null = null
  const restore = new MutationObserver(() => {
    if (before === null || document.activeElement !== document.body) return
    before.focus({ preventScroll: true })
    before = null
  })
  document.addEventListener(
    'focusin',
    ({ target, relatedTarget }) => {
      if (!(target instanceof HTMLElement) || !isToast(target)) {
        before = null
        restore.disconnect()
        return
      }
      target.dataset.dismissible = 'false'
      if (isToast(relatedTarget)) return
      before = relatedTarget instanceof HTMLElement ? relatedTarget : null
      const section = target.closest('section')
      if (section) restore.observe(section, { childList: true, subtree: true })
    },
    { signal: listening.signal, capture: true },
  )
  const forget = ({ target }: PointerEvent) => {
    if (!isToast(target)) before = null
  }
  document.addEventListener('pointerdown', forget, { signal: listening.signal, capture: true })
  return () => {
    restore.disconnect()
    listening.abort()
  }
}

/**
 * Sonner keeps its toasts while the pointer is over them or presses one. It misses two ends of that, and the toasts would
 * stay: after a tap, browsers report the mouse there until the next tap elsewhere; and a pointer that was pressed on a
 * toast may be released outside.
 */
function resumeWhenReleased(): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const toasts = () => document.querySelector('[data-sonner-toaster]')
  let byTouch = false
  document.addEventListener('pointerdown', ({ pointerType }) => (byTouch = pointerType !== 'mouse'), { signal })
  document.addEventListener(
    'click',
    () => {
      if (byTouch) toasts()?.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }))
    },
    { signal },
  )
  for (const released of ['pointerup', 'pointercancel'] as const) {
    document.addEventListener(
      released,
      ({ target }) => {
        const list = toasts()
        if (target instanceof Node && !list?.contains(target)) list?.dispatchEvent(new PointerEvent('pointerup'))
      },
      { signal },
    )
  }
  return () => listening.abort()
}
