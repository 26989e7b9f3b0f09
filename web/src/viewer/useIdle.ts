import { useEffect, useState } from 'react'

const PATIENCE = 3_000

/** Whether nobody has moved the pointer or pressed a key for a while. Only watched where it matters. */
export function useIdle(watching: boolean): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    if (!watching) return
    let timer = 0
    const stir = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = window.setTimeout(() => setIdle(true), PATIENCE)
    }
    stir()
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const event of events) window.addEventListener(event, stir, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const event of events) window.removeEventListener(event, stir)
      setIdle(false)
    }
  }, [watching])
  return idle
}
