import { Upload } from 'lucide-react'
import { useGalleryAddress } from '../gallery/useGalleryAddress.ts'
import { Button } from '../ui/Button.tsx'
import { openUploadDialog, prefetchUploadDialog } from './upload-dialog-store.ts'

/** The way to the upload dialog, from wherever on the page it stands. */
export function UploadButton({ label }: { label: string }) {
  const [{ folder }] = useGalleryAddress()
  const prepare = () => void prefetchUploadDialog()
  return (
    <Button
      variant="primary"
      icon={<Upload aria-hidden="true" className="size-5" />}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => openUploadDialog(folder)}
    >
      {label}
    </Button>
  )
}
