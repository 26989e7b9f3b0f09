import { useEffect, useEffectEvent } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { type ShareOutcome, shareOutcomes, uploadParameter } from '#contract/share-target.ts'
import { folderOf, useGalleryAddress } from '../gallery/gallery-address.ts'
import { logError } from '../kit/log.ts'
import { useMe } from '../kit/me.tsx'
import { eraseSharedFiles, readSharedFiles } from '../kit/shared-files.ts'
import { consumeOpenedFiles } from './opened-files.ts'
import { texts } from './texts.ts'
import { openUploadDialog } from './upload-dialog-store.ts'

/**
 * Opens the upload dialog with files that come from elsewhere: the share menu of the device, the clipboard, or files that
 * were opened with the installed app. Returns what is to be called when those of the share menu are dealt with.
 */
export function useIncomingFiles(mayUpload: boolean): () => void {
  const finishShare = useShare(mayUpload)
  usePaste(mayUpload)
  useOpenedFiles(mayUpload)
  return finishShare
}

/** The parameter stays in the address until the files are uploaded or declined: phones close pages in the background. */
function useShare(mayUpload: boolean): () => void {
  const me = useMe()
  const [params, setParams] = useSearchParams()
  const requested = params.get(uploadParameter)

  const endRequest = () =>
    setParams(
      current => {
        current.delete(uploadParameter)
        return current
      },
      { replace: true },
    )
  const finishShare = () => {
    eraseSharedFiles().catch(error => logError('Shared files could not be erased', error))
    if (requested !== null) endRequest()
  }

  const act = useEffectEvent(async () => {
    if (me === null) return
    if (!mayUpload) {
      finishShare()
      toast.info(texts.shared.notAllowed)
      return
    }
    if (requested !== ('shared' satisfies ShareOutcome)) {
      const outcome = shareOutcomes.find(one => one === requested)
      if (outcome !== undefined && outcome !== 'shared') toast.warning(texts.shared[outcome])
      openUploadDialog(null)
      endRequest()
      return
    }
    const shared = await readSharedFiles(me.id).catch(error => {
      logError('Shared files could not be read', error)
    })
    if (shared) return openUploadDialog(null, { ...shared, shared: true })
    toast.warning(texts.shared.gone)
    endRequest()
  })
  useEffect(() => {
    if (requested !== null) void act()
  }, [requested])
  return finishShare
}

/** Pictures that are pasted into the gallery. The dialog itself takes those that are pasted while it is open. */
function usePaste(mayUpload: boolean): void {
  const [address] = useGalleryAddress()
  const { pathname } = useLocation()
  const folder = folderOf(address)
  const takes = mayUpload && pathname === '/'
  const take = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0 || isField(event.target) || document.querySelector('[role=dialog]')) return
    event.preventDefault()
    openUploadDialog(folder, { files, shared: false, leftOut: 0 })
  })
  useEffect(() => {
    if (!takes) return
    const onPaste = (event: ClipboardEvent) => take(event)
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [takes])
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null
}

function useOpenedFiles(mayUpload: boolean): void {
  useEffect(() => {
    if (!mayUpload) return
    consumeOpenedFiles(files => openUploadDialog(null, { files, shared: false, leftOut: 0 }))
  }, [mayUpload])
}
