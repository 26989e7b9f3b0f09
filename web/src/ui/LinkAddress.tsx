import { Check, Copy, QrCode as QrIcon, Send } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'

const QrCode = lazy(async () => ({ default: (await import('./QrCode.tsx')).QrCode }))

interface Props {
  url: string
  texts: {
    address: string
    copy: string
    copied: string
    qr: string
    qrAlternative: string
    savePicture: string
    send: string
  }
  /** The name of the QR code's picture when it is saved. */
  fileName: string
  initialQr?: boolean
  /** Resolves to whether it worked. */
  onCopy: (url: string) => Promise<boolean>
  /** Absent where the device has no menu for sharing. */
  onSend?: (() => void) | undefined
}

/** The address of a link: to copy, to scan and to send. It can also be selected by hand, which works in every browser. */
export function LinkAddress({ url, texts, fileName, initialQr = false, onCopy, onSend }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  const [qr, setQr] = useState(initialQr)
  useEffect(() => field.current?.select(), [])

  async function copy() {
    field.current?.select()
    // The clipboard API needs HTTPS, which a library at home may not have.
    setCopied((await onCopy(url)) || document.execCommand('copy'))
  }
  return (
    <div className="flex flex-col gap-3">
      <Button
        variant="primary"
        wide
        icon={copied ? <Check aria-hidden="true" className="size-5" /> : <Copy aria-hidden="true" className="size-5" />}
        onClick={() => void copy()}
      >
        <span aria-live="polite">{copied ? texts.copied : texts.copy}</span>
      </Button>
      <input
        ref={field}
        readOnly
        aria-label={texts.address}
        value={url}
        dir="ltr"
        onFocus={event => event.currentTarget.select()}
        className="min-h-touch w-full min-w-0 rounded-control border border-line bg-sunken px-3 font-mono text-ink text-small"
      />
      <div className="flex flex-wrap gap-3 *:flex-auto">
        {onSend !== undefined && (
          <Button icon={<Send aria-hidden="true" className="size-5" />} onClick={onSend}>
            {texts.send}
          </Button>
        )}
        <Button
          icon={<QrIcon aria-hidden="true" className="size-5" />}
          aria-expanded={qr}
          onClick={() => setQr(shown => !shown)}
        >
          {texts.qr}
        </Button>
      </div>
      {qr && (
        <Suspense fallback={null}>
          <QrCode value={url} alternative={texts.qrAlternative} saveLabel={texts.savePicture} fileName={fileName} />
        </Suspense>
      )}
    </div>
  )
}
