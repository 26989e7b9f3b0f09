import { useEffect } from 'react'

/** Keeps the screen from going dark. Browsers take the promise back when the page is hidden, so it is asked for anew. */
export function useWakeLock(awake: boolean): void {
  useEffect(() => {
    if (!awake || !('wakeLock' in navigator)) return
    let lock: Promise<WakeLockSentinel | undefined> = Promise.resolve(undefined)
    const ask = () => {
      // A battery that is nearly empty is reason enough to refuse.
      if (document.visibilityState === 'visible') lock = navigator.wakeLock.request('screen').catch(() => undefined)
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      void lock.then(sentinel => sentinel?.release())
    }
  }, [awake])
}
