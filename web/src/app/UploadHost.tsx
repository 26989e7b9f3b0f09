import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '../auth/SessionProvider.tsx'
import { useCan } from '../kit/me.tsx'
import { useAppSettings } from '../kit/settings.ts'
import { mayHaveUnfinished } from '../upload/pending-uploads-db.ts'
import {
  prefetchUploadDialog,
  resetUploadDialog,
  setUploadDialogOpen,
  setUploading,
  useUploadDialog,
} from './upload-dialog-store.ts'

// Loaded on demand: most visits do not upload.
const Upload = lazy(async () => ({ default: (await prefetchUploadDialog()).Upload }))

/** The upload dialog, which also runs uploads while it is closed. */
export function UploadHost() {
  const { session } = useSession()
  const { uploadsUrl, transcoderCoreUrl } = useAppSettings()
  const { open, everOpened, folderId } = useUploadDialog()
  const [hasUnfinished] = useState(mayHaveUnfinished)
  useEffect(() => resetUploadDialog, [])
  const mayUpload = useCan('media.upload')
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
        onUploadingChange={setUploading}
      />
    </Suspense>
  )
}
