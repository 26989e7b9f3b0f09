import { Dialog } from '@base-ui/react/dialog'
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ViewerLayout } from './layout.ts'
import { isEditing } from './viewer-keys.ts'

interface Props {
  viewer: RefObject<HTMLDivElement | null>
  fullscreen: { on: boolean; leave: () => void }
  /** Hides the controls over the photo. */
  hideControls: boolean
  layout: ViewerLayout
  /** Whether the bar has a line that opens the details. */
  hasDrawer: boolean
  /** Whether the details are shown. */
  panelOpen: boolean
  onClose: () => void
  children: ReactNode
}

/** The modal dialog around the viewer, which handles focus and Escape. */
export function ViewerDialog(props: Props) {
  const { viewer, fullscreen, hideControls, layout, hasDrawer, panelOpen, onClose, children } = props
  useInitialFocus(viewer)
  const belongsToPopup = useEscapeOfPopups(viewer)

  /** After dialogs and menus have closed: leaves the text field, then full screen, then the viewer. */
  function onEscape() {
    const { activeElement } = document
    const editing = activeElement !== null && viewer.current?.contains(activeElement) && isEditing(activeElement)
    if (editing) viewer.current?.focus()
    else if (fullscreen.on) fullscreen.leave()
    else onClose()
  }

  /** After a mouse click on a button, the focus returns to the viewer so that its keys work. */
  function onClick({ target, detail }: MouseEvent) {
    if (!(target instanceof Element) || viewer.current?.contains(target) !== true) return
    const keepsFocus = isEditing(target) || target.closest('aside, [aria-haspopup], [role=menu]') !== null
    if (detail > 0 && !keepsFocus) viewer.current.focus({ preventScroll: true })
  }
  return (
    <Dialog.Root
      open
      disablePointerDismissal
      onOpenChange={(_, details) => {
        if (details.reason !== 'escape-key') return onClose()
        if (!belongsToPopup(details.event)) return onEscape()
        // The focus may still be in the viewer: the key must reach the popup.
        details.cancel()
        details.allowPropagation()
      }}
    >
      <Dialog.Portal>
        <Dialog.Popup
          ref={viewer}
          // The form of a new note may have taken the focus already.
          initialFocus={() => (viewer.current?.contains(document.activeElement) ? false : viewer.current)}
          finalFocus={false}
          onClick={onClick}
          data-fullscreen={fullscreen.on || undefined}
          data-idle={hideControls || undefined}
          data-narrow={layout.narrow || undefined}
          data-side={layout.side || undefined}
          data-drawer={hasDrawer || undefined}
          data-panel={panelOpen || undefined}
          className="viewer"
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/**
 * Whether an Escape key belongs to a dialog or menu over the viewer. Those of other features are no descendants of this
 * dialog, so it would close first. Recorded in the capture phase, before they close.
 */
function useEscapeOfPopups(viewer: RefObject<HTMLElement | null>) {
  const claimed = useRef(new WeakSet<Event>())
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const popups = document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')
      // What is behind the viewer is hidden from assistive technology.
      const isOther = (popup: Element) =>
        popup !== viewer.current && popup.closest('[aria-hidden=true], [inert], [hidden]') === null
      if (event.key === 'Escape' && [...popups].some(isOther)) claimed.current.add(event)
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [viewer])
  return (event: Event) => claimed.current.has(event)
}

/**
 * A page opened by a link to a photo takes the focus just after the viewer opens. This takes it back, unless the form
 * of a new note has it.
 */
function useInitialFocus(viewer: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (viewer.current?.contains(document.activeElement) !== true) viewer.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [viewer])
}

/** With the keyboard lock of Chromium, Escape reaches the page instead of leaving full screen. */
interface LockableKeyboard {
  lock(keys: readonly string[]): Promise<void>
  unlock(): void
}

/**
 * Makes the whole page full screen, so that dialogs and toasts stay visible. Where the browser does not support it
 * (iPhone), the photo only fills the page.
 */
export function useFullscreen(onLeave: () => void) {
  const [on, setOn] = useState(false)
  const left = useEffectEvent(onLeave)
  useEffect(() => {
    const follow = () => {
      setOn(document.fullscreenElement !== null)
      if (document.fullscreenElement === null) left()
    }
    document.addEventListener('fullscreenchange', follow)
    return () => {
      document.removeEventListener('fullscreenchange', follow)
      void leave()
    }
  }, [])
  const change = (to: boolean) => {
    setOn(to)
    if (!to) onLeave()
    void (to ? enter() : leave())
  }
  return { on, enter: () => change(true), leave: () => change(false), toggle: () => change(!on) }
}

async function enter(): Promise<void> {
  if (!document.fullscreenEnabled) return
  try {
    await document.documentElement.requestFullscreen({ navigationUI: 'hide' })
    // Escape must close the interval menu before it leaves full screen, so the page has to receive the key.
    await keyboard()?.lock(['Escape'])
  } catch {
    // The browser may refuse; the photo still fills the page.
  }
}

async function leave(): Promise<void> {
  keyboard()?.unlock()
  if (document.fullscreenElement !== null) await document.exitFullscreen()
}

function keyboard(): LockableKeyboard | undefined {
  return 'keyboard' in navigator ? (navigator.keyboard as LockableKeyboard) : undefined
}

const IDLE_AFTER = 3_000

/** True after some seconds without pointer or keyboard activity. */
export function useIdle(watching: boolean): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    if (!watching) return
    let timer = 0
    const onActivity = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = window.setTimeout(() => setIdle(true), IDLE_AFTER)
    }
    onActivity()
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const event of events) window.addEventListener(event, onActivity, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const event of events) window.removeEventListener(event, onActivity)
      setIdle(false)
    }
  }, [watching])
  return idle
}
