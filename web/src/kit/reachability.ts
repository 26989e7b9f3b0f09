import { useSyncExternalStore } from 'react'
import { health } from '#contract/health.ts'
import { waitOrWakeUp } from './wait.ts'

/** Whether the server can be reached. A failed call alone does not say so: `/healthz` is asked before. */

let reachable = true
let checking = false
/** Ends the running check: the server has sent something. */
let endCheck: () => void = () => {}
const listeners = new Set<() => void>()

const FIRST_DELAY = 1_000
const MAX_DELAY = 10_000
const TIMEOUT = 4_000
/** A call without an answer for this long is a reason to ask. */
export const SLOW_ANSWER = 5_000

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

/**
 * To be called when the server has sent anything. A busy connection may delay the answer of `/healthz`, because browsers
 * limit their connections to a server.
 */
export function serverHeard(): void {
  endCheck()
}

/** To be called when a request failed, or is slow, without an answer of the server. Checks until the server answers again. */
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
  const heard = new Promise<boolean>(resolve => {
    endCheck = () => resolve(true)
  })
  return Promise.race([heard, healthAnswers()])
}

async function healthAnswers(): Promise<boolean> {
  try {
    const request = { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT) } as const
    return (await fetch(health.path, request)).ok
  } catch {
    // No answer is what this function is about.
    return false
  }
}
