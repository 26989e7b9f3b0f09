import { useEffect } from 'react'

/** Keeps the screen on while files upload: a phone that goes dark stops sending. */
export function useWakeLock(wanted: boolean): void {
  useEffect(() => {
    if (!wanted || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let ended = false
    const hold = async () => {
      if (document.visibilityState !== 'visible') return
      // Refused where the battery is low; then the person has to keep it awake.
      const held = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (ended) await held?.release()
      else lock = held
    }
    void hold()
    // The browser takes it back whenever the page is out of sight.
    document.addEventListener('visibilitychange', hold)
    return () => {
      ended = true
      document.removeEventListener('visibilitychange', hold)
      void lock?.release()
    }
  }, [wanted])
}
