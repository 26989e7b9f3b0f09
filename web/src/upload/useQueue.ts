import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { toast } from 'sonner'
import { uploadDialog } from '#contract/limits.ts'
import { type Change, invalidate } from '../kit/changes.ts'
import { FolderFinder } from './folder-finder.ts'
import { UploadMemory } from './memory/memory.ts'
import { createPreparer } from './prepare/create-preparer.ts'
import type { Preparer } from './prepare/prepare.ts'
import type { BatchResult } from './queue/counts.ts'
import type { Services } from './queue/desk.ts'
import { type QueueState, UploadQueue } from './queue/queue.ts'
import { texts } from './texts.ts'

/** This person's queue, as soon as it is known what an earlier visit left. It lives as long as the person is signed in. */
export function useQueue(
  personId: number,
  uploadsUrl: string | null,
  transcoderCoreUrl: string | null,
): UploadQueue | null {
  const client = useQueryClient()
  const [queue, setQueue] = useState<UploadQueue | null>(null)
  useEffect(() => {
    const memory = new UploadMemory(personId)
    let opened: UploadQueue | undefined
    let left = false
    void memory.load().then(() => {
      if (left) return
      const preparer = createPreparer({ transcoderCoreUrl: transcoderCoreUrl ?? undefined })
      opened = new UploadQueue(servicesFor(client, memory, preparer, uploadsUrl ?? ''))
      setQueue(opened)
    })
    return () => {
      left = true
      opened?.leave()
      setQueue(null)
    }
  }, [client, personId, uploadsUrl, transcoderCoreUrl])
  return queue
}

export function useQueueState(queue: UploadQueue): QueueState {
  return useSyncExternalStore(queue.subscribe, queue.state)
}

const uploadedFiles: Change = { kind: 'media', ids: [] }

function servicesFor(client: QueryClient, memory: UploadMemory, preparer: Preparer, host: string): Services {
  const folders = new FolderFinder()
  return {
    memory,
    host,
    preparer,
    folderFor: (destination, path) => folders.find(destination, path),
    onBatchEnd: result => {
      folders.reset()
      sayResult(result)
      if (result.succeeded === 0) return
      setTimeout(() => {
        if (result.failed === 0) toast.success(texts.toasts.uploaded)
        void invalidate(client, uploadedFiles)
      }, uploadDialog.refreshAfter)
    },
    onBatchStopped: () => void invalidate(client, uploadedFiles),
    onBatchBroken: error => {
      toast.error(texts.toasts.broken, error instanceof Error ? { description: error.message } : {})
    },
    onConversionFailed: (name, reason) => toast.error(texts.toasts.convert(name, reason)),
  }
}

function sayResult({ succeeded, failed }: BatchResult): void {
  if (succeeded > 0 && failed > 0) toast.warning(texts.toasts.someFailed(succeeded, failed))
  else if (succeeded > 0) toast.success(texts.toasts.allDone(succeeded))
  else if (failed > 0) toast.error(texts.toasts.allFailed(failed))
}
