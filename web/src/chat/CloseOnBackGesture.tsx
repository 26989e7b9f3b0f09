import { useEffect, useEffectEvent } from 'react'
import { useFullScreenChat } from './use-full-screen-chat.ts'

/** CloseWatcher API, where supported: Back closes the last opened layer instead of leaving the page. */
interface CloseWatcher extends EventTarget {
  destroy(): void
}
declare global {
  interface Window {
    CloseWatcher?: new () => CloseWatcher
  }
}

/**
 * In a full-screen chat, a phone's back gesture closes the current view instead of navigating. A component and not a
 * hook, because watchers close in reverse order of their creation, which follows the component tree.
 */
export function CloseOnBackGesture({ onBack }: { onBack: () => void }) {
  const fillsScreen = useFullScreenChat()
  const goBack = useEffectEvent(onBack)
  useEffect(() => {
    // With a keyboard, Escape would trigger the watcher too, and each view handles Escape itself.
    const isTouched = window.matchMedia('(pointer: coarse)').matches
    if (!fillsScreen || !isTouched || window.CloseWatcher === undefined) return
    const watcher = new window.CloseWatcher()
    watcher.addEventListener('close', () => goBack())
    return () => watcher.destroy()
  }, [fillsScreen])
  return null
}
