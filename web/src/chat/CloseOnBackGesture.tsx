import { useEffect, useEffectEvent } from 'react'
import { useFullScreenChat } from './use-full-screen-chat.ts'

/** Where a browser has it, whoever goes back closes what was opened last before they leave the page. */
interface CloseWatcher extends EventTarget {
  destroy(): void
}
declare global {
  interface Window {
    CloseWatcher?: new () => CloseWatcher
  }
}

/**
 * Where the chat is the whole screen, a phone's gesture to go back leaves what stands here, and not the page below the
 * chat. A component, not a hook: the one that stands further up in the page is the last to be left.
 */
export function CloseOnBackGesture({ onBack }: { onBack: () => void }) {
  const fillsScreen = useFullScreenChat()
  const goBack = useEffectEvent(onBack)
  useEffect(() => {
    // Where there are keys, Escape would count as going back too, and it has its own meaning in each thing.
    const isTouched = window.matchMedia('(pointer: coarse)').matches
    if (!fillsScreen || !isTouched || window.CloseWatcher === undefined) return
    const watcher = new window.CloseWatcher()
    watcher.addEventListener('close', () => goBack())
    return () => watcher.destroy()
  }, [fillsScreen])
  return null
}
