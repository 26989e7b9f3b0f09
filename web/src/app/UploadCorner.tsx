import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '../auth/session.tsx'
import { useAppSettings } from '../kit/settings.ts'
import { mayHaveUnfinished } from '../upload/memory/flag.ts'
import { loadUpload, setUploading, setUploadOpen, shutUpload, useUploadDoor } from './uploadDoor.ts'

// Most visits only look at photos, so its code is fetched when it is wanted.
const Upload = lazy(async () => ({ default: (await loadUpload()).Upload }))

/** The upload dialog, and the upload under way while it is closed. */
export function UploadCorner() {
  const { session } = useSession()
  const { uploadsUrl, transcoderCoreUrl } = useAppSettings()
  const { open, used, folderId } = useUploadDoor()
  const [leftBefore] = useState(mayHaveUnfinished)
  useEffect(() => shutUpload, [])
  if (session.status !== 'authenticated' || !(used || leftBefore)) return null
  return (
    <Suspense fallback={null}>
      <Upload
        personId={session.user.id}
        uploadsUrl={uploadsUrl}
        transcoderCoreUrl={transcoderCoreUrl}
        open={open}
        onOpenChange={setUploadOpen}
        folderId={folderId}
        onUploadingChange={setUploading}
      />
    </Suspense>
  )
}
