import { useEffect, useEffectEvent } from 'react'

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
 * While it is rendered, a phone's Back calls `onBack` instead of leaving the page. A component and not a hook, because
 * watchers close in reverse order of their creation, which follows the component tree: rendered inside a popup, before
 * its contents, it begins when the popup opens.
 */
export function CloseOnBack({ onBack }: { onBack: () => void }) {
  const goBack = useEffectEvent(onBack)
  useEffect(() => {
    // With a keyboard, Escape would trigger the watcher too, and each layer handles Escape itself.
    const isTouched = window.matchMedia('(pointer: coarse)').matches
    if (!isTouched || window.CloseWatcher === undefined) return
    const watcher = new window.CloseWatcher()
    watcher.addEventListener('close', () => goBack())
    return () => watcher.destroy()
  }, [])
  return null
}
