/** Waits, but ends early when the browser is online again, the person returns to the tab, or the signal aborts. */
export function waitOrWakeUp(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const controller = new AbortController()
    const end = () => {
      clearTimeout(timer)
      controller.abort()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    const once = { signal: controller.signal }
    signal?.addEventListener('abort', end, once)
    if (typeof window === 'undefined') return
    window.addEventListener('online', end, once)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && end(), once)
  })
}
