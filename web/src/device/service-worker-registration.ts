import { useSyncExternalStore } from 'react'
import { logError } from '../kit/log.ts'

/** The new version of the pages that waits until this one is closed, or until the person chooses to load it. */
let waiting: ServiceWorker | null = null
const listeners = new Set<() => void>()

/** Looks for a new version this often while a page stays open, as on a tablet on the wall. */
const UPDATE_INTERVAL = 60 * 60_000

/** After the first screen, because it downloads the rest of the program. Browsers offer it with https and on this machine only. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register('/sw.js', {
      updateViaCache: 'none',
    })
    // Undefined where automation blocks service workers.
    if (registration === undefined) return
    watch(registration)
    setInterval(() => void registration.update().catch(() => {}), UPDATE_INTERVAL)
  } catch (error) {
    // The pages work without it.
    logError('The service worker could not be registered', error)
  }
}

function watch(registration: ServiceWorkerRegistration): void {
  setWaiting(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => {
      // Without a controller it is the first version, which has nothing to replace.
      if (worker.state === 'installed' && navigator.serviceWorker.controller !== null) setWaiting(worker)
      if (worker.state === 'redundant' && waiting === worker) setWaiting(null)
    })
  })
}

function setWaiting(worker: ServiceWorker | null): void {
  waiting = worker
  for (const listener of listeners) listener()
}

export function useUpdateReady(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== null)
}

/** This tab loads the new version, and the others when they are loaded again. */
export function loadUpdate(): void {
  // Another tab has activated it already.
  if (waiting?.state !== 'installed') {
    window.location.reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true })
  waiting.postMessage({ type: 'update' })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
