import { useSyncExternalStore } from 'react'
import type { LiveEvent } from '#contract/live.ts'
import { checkReachable } from '../kit/reachability.ts'

/** Whether the live stream is connected, and the events it delivers. */

let connected = false
const watchers = new Set<() => void>()
const listeners = new Set<(event: LiveEvent) => void>()

export function setConnected(now: boolean): void {
  if (now === connected) return
  connected = now
  for (const watcher of watchers) watcher()
  if (!now) void checkReachable()
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

/** The polling interval for data that live events cover: no polling while the stream is open. */
export function usePollInterval(interval: number): number | false {
  return useConnected() ? false : interval
}

export function emitLiveEvent(event: LiveEvent): void {
  for (const listener of listeners) listener(event)
}

/** For events without cached data, such as typing indicators. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
