import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { toast } from 'sonner'
import { uploadDialog } from '#contract/limits.ts'
import { showFailure } from '../kit/action.ts'
import { type Change, invalidate } from '../kit/changes.ts'
import { useWakeLock } from '../media/wake-lock.ts'
import { UploadDialog } from './dialog/UploadDialog.tsx'
import { FolderResolver } from './folder-resolver.ts'
import { PendingUploads } from './pending-uploads.ts'
import type { Preparer } from './prepare/prepare.ts'
import { createPreparer } from './prepare/preparer.ts'
import { texts } from './texts.ts'
import { UploadPill } from './UploadPill.tsx'
import type { UploadServices } from './upload-context.ts'
import { type BatchResult, isCompleteSuccess } from './upload-progress.ts'
import { type QueueState, UploadQueue } from './upload-queue.ts'

interface Props {
  personId: number
  /** Origin that uploads are sent to; null for the page's own. */
  uploadsUrl: string | null
  /** Folder of the fallback transcoder's core; null for our own server's. */
  transcoderCoreUrl: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Default destination. */
  folderId: number | null
  /** Signing out would abort the upload, so the app must know whether one is running. */
  onUploadingChange: (uploading: boolean) => void
}

/** The whole upload feature. An upload continues while the dialog is closed, shown as a small pill. */
export function Upload({ personId, uploadsUrl, transcoderCoreUrl, ...dialog }: Props) {
  const queue = useUploadQueue(personId, uploadsUrl, transcoderCoreUrl)
  return queue && <UploadForQueue queue={queue} {...dialog} />
}

function UploadForQueue({
  queue,
  open,
  onOpenChange,
  folderId,
  onUploadingChange,
}: Omit<Props, 'personId' | 'uploadsUrl' | 'transcoderCoreUrl'> & { queue: UploadQueue }) {
  const state = useQueueState(queue)
  const uploading = state.progress !== null
  const untouched = state.items.length === 0
  useConfirmBeforeUnload(uploading)
  useWakeLock(uploading)
  useEffect(() => onUploadingChange(uploading), [onUploadingChange, uploading])
  useEffect(() => {
    if (open && untouched) queue.setOptions({ folderId })
  }, [queue, open, untouched, folderId])
  return (
    <>
      <UploadDialog queue={queue} state={state} open={open} onClose={() => onOpenChange(false)} />
      {!open && <UploadPill queue={queue} state={state} onOpen={() => onOpenChange(true)} />}
    </>
  )
}

/** Unfinished uploads can be resumed at the next visit, but the page should not be closed by accident. */
function useConfirmBeforeUnload(uploading: boolean): void {
  useEffect(() => {
    if (!uploading) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [uploading])
}

/** The queue of the signed-in person, once the uploads left by an earlier visit are loaded. */
function useUploadQueue(
  personId: number,
  uploadsUrl: string | null,
  transcoderCoreUrl: string | null,
): UploadQueue | null {
  const client = useQueryClient()
  const [queue, setQueue] = useState<UploadQueue | null>(null)
  useEffect(() => {
    const pendingUploads = new PendingUploads(personId)
    let opened: UploadQueue | undefined
    let left = false
    void pendingUploads.load().then(() => {
      if (left) return
      const preparer = createPreparer({ transcoderCoreUrl: transcoderCoreUrl ?? undefined })
      opened = new UploadQueue(createServices(client, pendingUploads, preparer, uploadsUrl ?? ''))
      setQueue(opened)
    })
    return () => {
      left = true
      opened?.dispose()
      setQueue(null)
    }
  }, [client, personId, uploadsUrl, transcoderCoreUrl])
  return queue
}

function useQueueState(queue: UploadQueue): QueueState {
  return useSyncExternalStore(queue.subscribe, queue.state)
}

const uploadedFiles: Change = { kind: 'media', ids: [] }

function createServices(
  client: QueryClient,
  pendingUploads: PendingUploads,
  preparer: Preparer,
  host: string,
): UploadServices {
  const folders = new FolderResolver()
  return {
    pendingUploads,
    host,
    preparer,
    resolveFolder: (destination, path) => folders.resolve(destination, path),
    onBatchEnd: (result, items) => {
      folders.reset()
      showResultToast(result)
      if (result.succeeded === 0) return
      setTimeout(() => {
        if (isCompleteSuccess(items)) toast.success(texts.toasts.uploaded)
        void invalidate(client, uploadedFiles)
      }, uploadDialog.refreshAfter)
    },
    onBatchStopped: () => void invalidate(client, uploadedFiles),
    onBatchFailed: error => showFailure(texts.toasts.broken, error),
    onConversionFailed: (name, reason) => toast.error(texts.toasts.convert(name, reason)),
  }
}

function showResultToast({ succeeded, failed }: BatchResult): void {
  if (succeeded > 0 && failed > 0) toast.warning(texts.toasts.someFailed(succeeded, failed))
  else if (succeeded > 0) toast.success(texts.toasts.allDone(succeeded))
  else if (failed > 0) toast.error(texts.toasts.allFailed(failed))
}
