import { useSyncExternalStore } from 'react'
import { health } from '#contract/health.ts'
import { waitOrWakeUp } from './wait.ts'

/** Whether the server can be reached. A failed call alone does not say so: `/healthz` is asked before. */

let reachable = true
let checking = false
const listeners = new Set<() => void>()

const FIRST_DELAY = 1_000
const MAX_DELAY = 10_000
const TIMEOUT = 8_000

export function isReachable(): boolean {
  return reachable
}

export function useReachable(): boolean {
  return useSyncExternalStore(listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isReachable)
}

function setReachable(now: boolean): void {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

/** To be called when a request failed without an answer of the server. Checks until the server answers again. */
export async function checkReachable(): Promise<void> {
  if (checking || typeof window === 'undefined') return
  checking = true
  for (let delay = FIRST_DELAY; !(await serverAnswers()); delay = Math.min(MAX_DELAY, delay * 1.5)) {
    setReachable(false)
    await waitOrWakeUp(delay)
  }
  checking = false
  if (reachable) return
  setReachable(true)
  // What waits for the network to retry (the live stream, uploads, unsent messages) need not know another event.
  window.dispatchEvent(new Event('online'))
}

async function serverAnswers(): Promise<boolean> {
  try {
    const request = { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT) } as const
    return (await fetch(health.path, request)).ok
  } catch {
    // No answer is what this function is about.
    return false
  }
}
