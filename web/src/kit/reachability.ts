import { useSyncExternalStore } from 'react'
import { health } from '#contract/health.ts'

/** Whether the server can be reached. A failed call alone does not say so: `/healthz` is asked before. */

let reachable = true
let checking = false
/** Aborted when the server has sent something, which ends the running check. */
let responded = new AbortController()
const listeners = new Set<() => void>()

const FIRST_DELAY = 1_000
const MAX_DELAY = 10_000
const TIMEOUT = 4_000
/** A call without an answer for this long is a reason to ask. */
export const SLOW_ANSWER = 5_000

export function isReachable(): boolean {
  return reachable
}

/** Asks, if that is not known: for a request that failed without an answer. */
export async function isUnreachable(): Promise<boolean> {
  if (!reachable) return true
  return !(await healthAnswers(AbortSignal.timeout(TIMEOUT)))
}

/** Resolves as soon as the server cannot be reached, at once if that is known; never after the signal. */
export function unreachable(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (!reachable) resolve()
    const stop = onChange(() => {
      if (!reachable) resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}

export function useReachable(): boolean {
  return useSyncExternalStore(onChange, isReachable)
}

/** Calls the listener whenever the server can be reached again. */
export function onReachable(listener: () => void): () => void {
  return onChange(() => reachable && listener())
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
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
export function serverResponded(): void {
  responded.abort()
}

/** To be called when a request failed, or is slow, without an answer of the server. Checks until the server answers again. */
export async function checkReachable(): Promise<void> {
  if (checking || typeof window === 'undefined') return
  checking = true
  responded = new AbortController()
  await untilServerAnswers(responded.signal)
  checking = false
  setReachable(true)
}

async function untilServerAnswers(responded: AbortSignal): Promise<void> {
  for (let delay = FIRST_DELAY; ; delay = Math.min(MAX_DELAY, delay * 1.5)) {
    if ((await healthAnswers(responded)) || responded.aborted) return
    setReachable(false)
    await waitOrWakeUp(delay, responded)
    if (responded.aborted) return
  }
}

async function healthAnswers(responded: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), responded])
    return (await fetch(health.path, { cache: 'no-store', credentials: 'omit', signal })).ok
  } catch {
    // No answer is what this function is about.
    return false
  }
}

/**
 * Waits, but ends early when the server can be reached again, the browser is online again, the person returns to the
 * tab, or the signal aborts.
 */
export function waitOrWakeUp(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const controller = new AbortController()
    const end = () => {
      clearTimeout(timer)
      controller.abort()
      stopListening()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    const stopListening = onReachable(end)
    if (signal?.aborted) return end()
    const once = { signal: controller.signal }
    signal?.addEventListener('abort', end, once)
    if (typeof window === 'undefined') return
    window.addEventListener('online', end, once)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && end(), once)
  })
}
