import { useEffect, useSyncExternalStore } from 'react'
import { formatBadge } from './format.ts'
import { showBadge } from './push-here.ts'
import { useAppSettings } from './settings.ts'

/** The title of the browser's tab, with the number of unread notifications: "(3) Admin · Heirloom". */

let unread = 0
const listeners = new Set<() => void>()

function setUnread(count: number): void {
  unread = count
  for (const listener of listeners) listener()
}

/** Shows the count in the title, and on the icon of the installed app, for as long as the calling component is mounted. */
export function useUnreadInTitle(count: number): void {
  useEffect(() => setUnread(count), [count])
  useEffect(() => showBadge(count), [count])
  useEffect(() => () => setUnread(0), [])
}

function useUnread(): number {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => unread,
  )
}

export function usePageTitle(page: string): void {
  const { title } = useAppSettings()
  const unread = useUnread()
  useEffect(() => {
    document.title = `${unread === 0 ? '' : `(${formatBadge(unread)}) `}${page} · ${title}`
  }, [page, title, unread])
}
