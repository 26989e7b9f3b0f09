import { useSyncExternalStore } from 'react'
import { isIos } from '../kit/platform.ts'

/** The event by which Chromium offers to install the page as an app. */
interface InstallEvent extends Event {
  prompt(): Promise<void>
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offered: InstallEvent | null = null
const listeners = new Set<() => void>()

/** The browser sends it once, perhaps before the pages are rendered. */
export function watchInstallOffers(): void {
  window.addEventListener('beforeinstallprompt', event => {
    // The browser's own banner would come at any moment.
    event.preventDefault()
    offered = event as InstallEvent
    notify()
  })
  window.addEventListener('appinstalled', () => {
    offered = null
    notify()
  })
}

/** How this browser installs the page: by its own dialog, by hand as on iPhones and iPads, or not at all. */
export function useInstallWay(): 'dialog' | 'by hand' | null {
  const hasDialog = useSyncExternalStore(subscribe, () => offered !== null)
  if (isInstalled()) return null
  if (hasDialog) return 'dialog'
  return isSafariOnIos() ? 'by hand' : null
}

/** Resolves to whether the person installed it. */
export async function install(): Promise<boolean> {
  const event = offered
  offered = null
  notify()
  await event?.prompt()
  return (await event?.userChoice)?.outcome === 'accepted'
}

export function isInstalled(): boolean {
  return window.matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true
}

export function isSafariOnIos(): boolean {
  return isIos() && !/CriOS|FxiOS|EdgiOS/.test(navigator.userAgent)
}

const DECLINED = 'install-declined'
const FIRST_DAY = 'first-day'

/** Not on the first day, when nobody knows yet what it would be for; and never again after a No. */
export function isGoodMoment(): boolean {
  if (localStorage.getItem(DECLINED) !== null) return false
  const today = new Date().toDateString()
  const first = localStorage.getItem(FIRST_DAY)
  if (first === null) localStorage.setItem(FIRST_DAY, today)
  return first !== null && first !== today
}

export function declineInstall(): void {
  localStorage.setItem(DECLINED, 'yes')
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
