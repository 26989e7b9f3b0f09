import { useEffect, useSyncExternalStore } from 'react'

/** How much news waits for the person, as the browser's tab says it. */

let unread = 0
const listeners = new Set<() => void>()

function set(count: number): void {
  unread = count
  for (const listener of listeners) listener()
}

/** Says it, for as long as whoever calls this is shown. */
export function useUnreadInTitle(count: number): void {
  useEffect(() => set(count), [count])
  useEffect(() => () => set(0), [])
}

export function useUnread(): number {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => unread,
  )
}
