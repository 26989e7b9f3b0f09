import { useEffect } from 'react'
import { UploadDialog } from './dialog/UploadDialog.tsx'
import { Pill } from './Pill.tsx'
import type { UploadQueue } from './queue/queue.ts'
import { useQueue, useQueueState } from './useQueue.ts'
import { useWakeLock } from './useWakeLock.ts'

interface Props {
  personId: number
  /** Where uploads are sent, when not to the address of the page. */
  uploadsUrl: string | null
  /** Where the fallback transcoder's core is, when not on our own server. */
  transcoderCoreUrl: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Where files go unless the person chooses another place. */
  folderId: number | null
  /** Signing out would stop the upload, so the page has to know of it. */
  onUploadingChange: (uploading: boolean) => void
}

/** Uploading, from choosing files to the receipt. Once begun it goes on while the dialog is closed, and is then shown small. */
export function Upload({ personId, uploadsUrl, transcoderCoreUrl, ...door }: Props) {
  const queue = useQueue(personId, uploadsUrl, transcoderCoreUrl)
  return queue && <OpenedUpload queue={queue} {...door} />
}

function OpenedUpload({
  queue,
  open,
  onOpenChange,
  folderId,
  onUploadingChange,
}: Omit<Props, 'personId' | 'uploadsUrl' | 'transcoderCoreUrl'> & { queue: UploadQueue }) {
  const state = useQueueState(queue)
  const uploading = state.progress !== null
  const untouched = state.items.length === 0
  useAskBeforeLeaving(uploading)
  useWakeLock(uploading)
  useEffect(() => onUploadingChange(uploading), [onUploadingChange, uploading])
  useEffect(() => {
    if (open && untouched) queue.choose({ folderId })
  }, [queue, open, untouched, folderId])
  return (
    <>
      <UploadDialog queue={queue} state={state} open={open} onClose={() => onOpenChange(false)} />
      {!open && <Pill queue={queue} state={state} onOpen={() => onOpenChange(true)} />}
    </>
  )
}

/** What has arrived is safe, and what has not goes on at the next visit; still nobody should leave without knowing. */
function useAskBeforeLeaving(uploading: boolean): void {
  useEffect(() => {
    if (!uploading) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [uploading])
}
