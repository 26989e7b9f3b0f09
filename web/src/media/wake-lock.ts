import { useEffect } from 'react'

/** Keeps the screen on: during a slideshow, and during an upload, which a phone stops when its screen turns off. */
export function useWakeLock(wanted: boolean): void {
  useEffect(() => {
    if (!wanted || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let ended = false
    const hold = async () => {
      if (document.visibilityState !== 'visible') return
      // Denied when the battery is low.
      const held = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (ended) await held?.release()
      else lock = held
    }
    void hold()
    // The browser releases the lock when the page is hidden.
    document.addEventListener('visibilitychange', hold)
    return () => {
      ended = true
      document.removeEventListener('visibilitychange', hold)
      void lock?.release()
    }
  }, [wanted])
}
