import { useEffect, useState, useSyncExternalStore } from 'react'
import { useWakeLock } from '../media/wake-lock.ts'
import type { QueueState, UploadQueue } from './upload-queue.ts'

/**
 * A queue, once the uploads left by an earlier visit are loaded. It is disposed with the component: no upload goes on
 * that nobody sees. `create` must be memoised.
 */
export function useUploadQueue(create: () => UploadQueue): UploadQueue | null {
  const [queue, setQueue] = useState<UploadQueue | null>(null)
  useEffect(() => {
    const created = create()
    let left = false
    void created.load().then(() => left || setQueue(created))
    return () => {
      left = true
      created.dispose()
      setQueue(null)
    }
  }, [create])
  return queue
}

export function useQueueState(queue: UploadQueue): QueueState {
  return useSyncExternalStore(queue.subscribe, queue.state)
}

/**
 * The screen stays on, and the browser asks before the page is closed: uploads can be resumed at the next visit, but
 * should not be interrupted by accident.
 */
export function useKeepUploading(uploading: boolean): void {
  useWakeLock(uploading)
  useEffect(() => {
    if (!uploading) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [uploading])
}
