import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from './Button.tsx'

interface Props {
  label: string
  value: string
  copyLabel: string
  copiedLabel: string
}

/** A text to copy. It can also be selected by hand, which works in every browser. */
export function CopyField({ label, value, copyLabel, copiedLabel }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)

  async function copy() {
    field.current?.select()
    // The clipboard API needs HTTPS, which a library at home may not have.
    if (navigator.clipboard === undefined) document.execCommand('copy')
    else await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <div className="flex w-full flex-wrap gap-2">
      <input
        ref={field}
        readOnly
        aria-label={label}
        value={value}
        dir="ltr"
        onFocus={event => event.currentTarget.select()}
        className="min-h-touch min-w-0 flex-[1_1_14rem] rounded-control border border-line bg-sunken px-3 font-mono text-ink text-small"
      />
      <Button
        icon={copied ? <Check aria-hidden="true" className="size-5" /> : <Copy aria-hidden="true" className="size-5" />}
        onClick={() => void copy().catch(() => setCopied(false))}
      >
        <span aria-live="polite">{copied ? copiedLabel : copyLabel}</span>
      </Button>
    </div>
  )
}
