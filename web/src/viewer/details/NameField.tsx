import { Pencil } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { lengths } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { texts } from '../texts.ts'

interface Props {
  file: MediaFile
  onRename: (file: MediaFile, newName: string) => Promise<boolean>
}

/** The name, which is written anew where it stands: Enter saves, Escape does not, and neither does an empty name. */
export function NameField({ file, onRename }: Props) {
  const [draft, setDraft] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const editing = draft !== null
  useEffect(() => {
    if (!editing || field.current === null) return
    field.current.focus()
    const dot = field.current.value.lastIndexOf('.')
    // The part before the extension is what people change.
    field.current.setSelectionRange(0, dot > 0 ? dot : field.current.value.length)
  }, [editing])

  async function close({ save }: { save: boolean }) {
    const name = draft?.trim() ?? ''
    setDraft(null)
    if (!save || name === '' || name === file.original_name) return
    // A refused name comes back to be corrected, unless another one is being written by now.
    if (!(await onRename(file, name))) setDraft(now => now ?? name)
  }

  function onKeyDown(event: KeyboardEvent) {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    void close({ save: event.key === 'Enter' })
    // Once the button is there again.
    requestAnimationFrame(() => button.current?.focus())
  }

  if (draft !== null) {
    return (
      <input
        ref={field}
        aria-label={texts.details.fileName}
        value={draft}
        maxLength={lengths.fileName}
        dir="auto"
        onChange={event => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void close({ save: true })}
        className="min-h-touch w-full min-w-0 rounded-control border border-accent bg-raised px-3 py-2 text-ink"
      />
    )
  }
  return (
    <div className="flex items-start gap-1">
      <h2 className="wrap-anywhere min-w-0 flex-1 self-center font-semibold text-lead">
        <bdi>{file.original_name}</bdi>
      </h2>
      <IconButton ref={button} label={texts.rename} onClick={() => setDraft(file.original_name)}>
        <Pencil aria-hidden="true" className="size-5" />
      </IconButton>
    </div>
  )
}
