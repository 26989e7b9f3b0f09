import { Upload } from 'lucide-react'
import { useGalleryAddress } from '../gallery/useGalleryAddress.ts'
import { Button } from '../ui/Button.tsx'
import { loadUpload, openUpload } from './uploadDoor.ts'

/** The way to the upload dialog, from wherever on the page it stands. */
export function UploadButton({ label }: { label: string }) {
  const [{ folder }] = useGalleryAddress()
  const prepare = () => void loadUpload()
  return (
    <Button
      variant="primary"
      icon={<Upload aria-hidden="true" className="size-5" />}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => openUpload(folder)}
    >
      {label}
    </Button>
  )
}
