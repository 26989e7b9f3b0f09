import { Upload } from 'lucide-react'
import { folderOf, useGalleryAddress } from '../gallery/gallery-address.ts'
import { useCan } from '../kit/me.tsx'
import { Button } from '../ui/Button.tsx'
import { openUploadDialog, prefetchUploadDialog } from './upload-dialog-store.ts'

/** Opens the upload dialog, for people who may upload. Its code is prefetched on hover and focus. */
export function UploadButton({ label, variant = 'primary' }: { label: string; variant?: 'primary' | 'soft' | 'bare' }) {
  const [address] = useGalleryAddress()
  const prepare = () => void prefetchUploadDialog()
  if (!useCan('media.upload')) return null
  return (
    <Button
      variant={variant}
      icon={<Upload aria-hidden="true" className="size-5" />}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => openUploadDialog(folderOf(address))}
    >
      {/* With large text a phone has room for the icon alone. */}
      <span className="@max-[18rem]:sr-only">{label}</span>
    </Button>
  )
}
