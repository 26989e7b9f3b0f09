import { Upload } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { texts } from './texts.ts'

/** The way to the upload dialog, from wherever on the page it stands. */
export function UploadButton({ label }: { label: string }) {
  return (
    <Button
      variant="primary"
      icon={<Upload aria-hidden="true" className="size-5" />}
      disabled
      title={texts.uploadNotYet}
    >
      {label}
    </Button>
  )
}
