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
  useEffect(stayWhileFocused, [])
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
 * Sonner keeps its toasts while the pointer is over them. The same holds for the focus, of keyboards and screen readers;
 * not for the focus that a tap gives, because it stays there until the next tap elsewhere.
 */
function stayWhileFocused(): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const list = () => document.querySelector('[data-sonner-toaster]')
  let byTouch = false
  const hasFocus = () => !byTouch && list()?.contains(document.activeElement) === true
  const hold = () => {
    if (hasFocus()) list()?.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }))
  }
  const release = ({ relatedTarget }: FocusEvent) => {
    const toasts = list()
    if (toasts === null || toasts.matches(':hover') || isToast(relatedTarget)) return
    toasts.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }))
  }
  document.addEventListener('pointerdown', ({ pointerType }) => (byTouch = pointerType !== 'mouse'), { signal })
  document.addEventListener('keydown', () => (byTouch = false), { signal })
  document.addEventListener('focusin', hold, { signal })
  // After Sonner has seen that the pointer has left.
  document.addEventListener('mouseout', ({ target }) => void (isToast(target) && setTimeout(hold)), { signal })
  document.addEventListener('focusout', event => void (isToast(event.target) && release(event)), { signal })
  return () => listening.abort()
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
