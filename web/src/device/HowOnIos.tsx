import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { texts } from './texts.ts'

/** Safari has no dialog for it. */
export function HowOnIos({ title, onClose }: { title: string; onClose: () => void }) {
  const { ios } = texts.install
  return (
    <Dialog open onOpenChange={onClose} title={ios.title({ title })}>
      <p>{ios.share}</p>
      <svg role="img" aria-label={ios.sharePicture} viewBox="0 0 240 64" className="h-16 w-full text-accent-strong">
        <rect x="1" y="1" width="238" height="62" rx="12" className="fill-sunken stroke-line" />
        <path
          d="M112 26h-6a3 3 0 0 0-3 3v18a3 3 0 0 0 3 3h28a3 3 0 0 0 3-3V29a3 3 0 0 0-3-3h-6M120 38V13m-8 8 8-8 8 8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <p>{ios.add}</p>
      <svg role="img" aria-label={ios.addPicture} viewBox="0 0 240 64" className="h-16 w-full text-accent-strong">
        <rect x="1" y="1" width="238" height="62" rx="12" className="fill-sunken stroke-line" />
        <path d="M20 28h96M20 38h60" stroke="currentColor" strokeWidth="3" strokeLinecap="round" opacity="0.5" />
        <rect x="190" y="18" width="28" height="28" rx="7" fill="none" stroke="currentColor" strokeWidth="2.5" />
        <path d="M204 25v14m-7-7h14" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <DialogButtons>
        <Button onClick={onClose}>{ios.close}</Button>
      </DialogButtons>
    </Dialog>
  )
}
