import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../auth/SessionProvider.tsx'
import { folderOf, useGalleryAddress } from '../gallery/gallery-address.ts'
import { useCan } from '../kit/me.tsx'
import { useAppSettings } from '../kit/settings.ts'
import { mayHaveUnfinished } from '../upload/pending-uploads-db.ts'
import {
  openUploadDialog,
  prefetchUploadDialog,
  resetUploadDialog,
  setUnsentUploads,
  setUploadDialogOpen,
  takeIncomingFiles,
  useUploadDialog,
} from './upload-dialog-store.ts'
import { useIncomingFiles } from './use-incoming-files.ts'

// Loaded on demand: most visits do not upload.
const Upload = lazy(async () => ({ default: (await prefetchUploadDialog()).Upload }))

/** The upload dialog, which also runs uploads while it is closed. */
export function UploadHost() {
  const { session } = useSession()
  const { uploadsUrl, transcoderCoreUrl } = useAppSettings()
  const { open, everOpened, folderId, incoming } = useUploadDialog()
  const [hasUnfinished] = useState(mayHaveUnfinished)
  useEffect(() => resetUploadDialog, [])
  const mayUpload = useCan('media.upload')
  useOpenForDrops(mayUpload)
  const finishShare = useIncomingFiles(mayUpload)
  if (session.status !== 'authenticated' || !mayUpload || !(everOpened || hasUnfinished)) return null
  return (
    <Suspense fallback={null}>
      <Upload
        personId={session.user.id}
        uploadsUrl={uploadsUrl}
        transcoderCoreUrl={transcoderCoreUrl}
        open={open}
        onOpenChange={setUploadDialogOpen}
        folderId={folderId}
        onUnsentChange={setUnsentUploads}
        hasIncoming={incoming !== null}
        takeIncoming={takeIncomingFiles}
        onShareFinished={finishShare}
      />
    </Suspense>
  )
}

/**
 * Files that are dragged from elsewhere over the gallery open the dialog, which takes them; it closes again when they
 * leave the window. Anywhere else the browser would leave the page and show the file.
 */
function useOpenForDrops(mayUpload: boolean): void {
  const [address] = useGalleryAddress()
  const folder = folderOf(address)
  const { pathname } = useLocation()
  const opens = mayUpload && pathname === '/'
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    let [isOwnDrag, wasOpened] = [false, false]
    const hasFiles = ({ dataTransfer }: DragEvent) => !isOwnDrag && (dataTransfer?.types.includes('Files') ?? false)
    const on = (type: 'dragstart' | 'dragend' | 'dragenter' | 'dragleave' | 'dragover' | 'drop', act: DragListener) =>
      document.addEventListener(type, act, { signal })
    const refuse = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
    }
    on('dragstart', () => (isOwnDrag = true))
    on('dragend', () => (isOwnDrag = false))
    on('dragenter', event => {
      // What is open already, such as a photo or a form, stays in front.
      if (!opens || !hasFiles(event) || document.querySelector('[role=dialog]')) return
      wasOpened = true
      openUploadDialog(folder)
    })
    on('dragleave', event => {
      if (!wasOpened || event.relatedTarget !== null) return
      wasOpened = false
      setUploadDialogOpen(false)
    })
    on('dragover', refuse)
    on('drop', event => {
      wasOpened = false
      refuse(event)
    })
    return () => listening.abort()
  }, [opens, folder])
}

type DragListener = (event: DragEvent) => void
