import { useEffect, useState } from 'react'

/** The current time, updated at an interval, so that relative times stay correct. */
export function useNow(every = 10_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    const timer = setInterval(tick, every)
    // Browsers throttle timers of hidden tabs, so update when the tab becomes visible.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [every])
  return now
}
