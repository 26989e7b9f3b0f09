import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { uploadDialog } from '#contract/limits.ts'
import { showFailure } from '../kit/action.ts'
import { type Change, invalidate } from '../kit/changes.ts'
import { RECENT_PATH } from '../kit/filter-path.ts'
import { readToken } from '../kit/token.ts'
import { refusalOf } from './accept.ts'
import { type Share, UploadDialog } from './dialog/UploadDialog.tsx'
import { createMemberTransport } from './member-transport.ts'
import { PendingUploads } from './pending-uploads.ts'
import { createPreparer } from './prepare/preparer.ts'
import { texts } from './texts.ts'
import { UploadPill } from './UploadPill.tsx'
import { type IncomingFiles, isRetryable, type UploadItem } from './upload-items.ts'
import { type BatchResult, countItems, isCompleteSuccess, resultOf } from './upload-progress.ts'
import { UploadQueue } from './upload-queue.ts'
import { useKeepUploading, useQueueState, useUploadQueue } from './use-upload-queue.ts'

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
  /** Signing out would abort the upload and empty the list, so the app must know what is in it. */
  onUnsentChange: (unsent: { uploading: boolean; chosen: number }) => void
  /** Files wait to be taken into the list. */
  hasIncoming: boolean
  takeIncoming: () => IncomingFiles | null
  /** What the share menu handed over is uploaded or was taken out of the list. */
  onShareFinished: () => void
}

/** The whole upload feature. An upload continues while the dialog is closed, shown as a small pill. */
export function Upload({ personId, uploadsUrl, transcoderCoreUrl, ...dialog }: Props) {
  const navigate = useNavigate()
  const queue = useMemberQueue(personId, uploadsUrl, transcoderCoreUrl, () => {
    dialog.onOpenChange(false)
    void navigate(RECENT_PATH)
  })
  return queue && <UploadForQueue queue={queue} {...dialog} />
}

function UploadForQueue({
  queue,
  open,
  onOpenChange,
  folderId,
  onUnsentChange,
  hasIncoming,
  takeIncoming,
  onShareFinished,
}: Omit<Props, 'personId' | 'uploadsUrl' | 'transcoderCoreUrl'> & { queue: UploadQueue }) {
  const state = useQueueState(queue)
  const uploading = state.progress !== null
  const untouched = state.items.length === 0
  useKeepUploading(uploading)
  const [share, setShare] = useState<Share | null>(null)
  const take = useEffectEvent(() => {
    const incoming = takeIncoming()
    if (incoming === null) return
    addIncoming(queue, incoming)
    if (incoming.shared) setShare(incoming)
  })
  useEffect(() => {
    if (hasIncoming) take()
  }, [hasIncoming])
  // What failed can be tried again, also after a reload, for which the device has to keep it.
  const isStored = countItems(state.items).toUpload === 0 && !state.items.some(isRetryable)
  const isShareFinished = share !== null && !uploading && isStored
  const finishShare = useEffectEvent(() => {
    setShare(null)
    onShareFinished()
  })
  useEffect(() => {
    if (isShareFinished) finishShare()
  }, [isShareFinished])
  useEffect(() => {
    // Signed in again in another tab, so this page stays. Otherwise it goes to /login.
    if (state.sessionEndedAt !== null && readToken() !== null) queue.resume()
  }, [queue, state.sessionEndedAt])
  const { toUpload: chosen } = countItems(state.items)
  useEffect(() => onUnsentChange({ uploading, chosen }), [onUnsentChange, uploading, chosen])
  useEffect(() => {
    if (open && untouched) queue.setOptions({ folderId })
  }, [queue, open, untouched, folderId])
  return (
    <>
      <UploadDialog queue={queue} state={state} share={share} open={open} onClose={() => onOpenChange(false)} />
      {!open && <UploadPill queue={queue} state={state} onOpen={() => onOpenChange(true)} />}
    </>
  )
}

/** By the rules of the picker. */
function addIncoming(queue: UploadQueue, { files, shared }: IncomingFiles): void {
  const judged = files.map(file => ({ file, reason: refusalOf(file) }))
  queue.addRejected(judged.flatMap(({ file, reason }) => (reason === null ? [] : { file, reason })))
  const accepted = judged.filter(({ reason }) => reason === null)
  queue.add(
    accepted.map(({ file }) => ({ file })),
    { waits: shared },
  )
}

/** The queue of the signed-in person. */
function useMemberQueue(
  personId: number,
  uploadsUrl: string | null,
  transcoderCoreUrl: string | null,
  onShow: () => void,
) {
  const client = useQueryClient()
  // The queue outlives the page that it was opened on.
  const latest = useRef(onShow)
  useEffect(() => {
    latest.current = onShow
  })
  const create = useCallback(() => {
    const preparer = createPreparer({ transcoderCoreUrl: transcoderCoreUrl ?? undefined })
    const onConversionFailed = (name: string, reason: string) => toast.error(texts.toasts.convert({ name, reason }))
    const transport = createMemberTransport({ host: uploadsUrl ?? '', preparer, onConversionFailed })
    return new UploadQueue(transport, new PendingUploads(personId), {
      onBatchEnd: items => showResult(client, items, () => latest.current()),
      onBatchStopped: () => void invalidate(client, uploadedFiles),
      onBatchFailed: error => showFailure(texts.toasts.broken, error),
    })
  }, [client, personId, uploadsUrl, transcoderCoreUrl])
  return useUploadQueue(create)
}

const uploadedFiles: Change = { kind: 'media', ids: [] }

/** One message with the numbers of the receipt. It says that the files are in the gallery once they are shown there. */
function showResult(client: QueryClient, items: readonly UploadItem[], onShow: () => void): void {
  const result = resultOf(items)
  const show = showResultToast(result, onShow)
  if (result.succeeded === 0) return
  setTimeout(() => {
    if (isCompleteSuccess(items)) show(texts.toasts.uploaded)
    void invalidate(client, uploadedFiles)
  }, uploadDialog.refreshAfter)
}

/** Returns what changes the description. */
function showResultToast(
  { succeeded, failed, incomplete }: BatchResult,
  onShow: () => void,
): (description: string) => void {
  const { someFailed, allFailed, allDone, show } = texts.toasts
  const description = incomplete > 0 ? texts.toasts.incomplete({ count: incomplete }) : undefined
  const cancel = { label: show, onClick: onShow }
  if (succeeded > 0 && failed > 0) {
    toast.warning(someFailed({ done: succeeded, failed }), { description, cancel })
  } else if (failed > 0) toast.error(allFailed({ count: failed }), { description })
  else if (description !== undefined) toast.warning(description, { cancel })
  else if (succeeded > 0) {
    const message = allDone({ count: succeeded })
    const id = toast.success(message, { cancel })
    return said => void toast.success(message, { id, description: said, cancel })
  }
  return () => {}
}
