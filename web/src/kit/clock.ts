import { useEffect, useState } from 'react'

/** The time now, read again every so often: what is said about it stays true while it is shown. */
export function useNow(every = 10_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    const timer = setInterval(tick, every)
    // A tab out of sight is told the time rarely; whoever comes back to it must not read an old one.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [every])
  return now
}
