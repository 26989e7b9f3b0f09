import { useSyncExternalStore } from 'react'
import type { LiveEvent } from '#contract/live.ts'

/** Whether the server tells this browser by itself what changes, and what it has just told. */

let connected = false
const watchers = new Set<() => void>()
const listeners = new Set<(event: LiveEvent) => void>()

export function setConnected(now: boolean): void {
  if (now === connected) return
  connected = now
  for (const watcher of watchers) watcher()
}

export function onConnectedChange(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function isConnected(): boolean {
  return connected
}

function useConnected(): boolean {
  return useSyncExternalStore(onConnectedChange, isConnected)
}

/** How often to ask for something that the stream speaks of: not at all while it is open. */
export function usePollInterval(interval: number): number | false {
  return useConnected() ? false : interval
}

export function emitLiveEvent(event: LiveEvent): void {
  for (const listener of listeners) listener(event)
}

/** For what is told but never kept, such as that somebody is writing. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
