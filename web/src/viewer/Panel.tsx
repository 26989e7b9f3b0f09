import { Pencil } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { lengths } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { useCan } from '../kit/me.tsx'
import { selectBaseName } from '../media/file-name.ts'
import { incompleteText } from '../media/incomplete-text.ts'
import type { FileActions } from '../media/viewed-file.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Details } from './Details.tsx'
import { texts } from './texts.ts'

interface Props {
  file: MediaFile
  metadata: PhotoMetadata | null | undefined
  actions: FileActions
  /** What other features show of it. */
  children: ReactNode
}

/** Name and details of a file, and between them what other features show: beside the photo, or in a drawer below it. */
export function Panel({ file, metadata, actions, children }: Props) {
  const mayEdit = useCan('media.edit')
  return (
    <aside aria-label={texts.panel} className="viewer-panel">
      <div className="flex flex-col gap-6 p-5">
        {/* Prefixed: the notes next to it use the id alone as their key. */}
        <NameField key={`name-${file.id}`} file={file} onRename={actions.rename} />
        <Damage file={file} />
        {file.first_frame_only && <p className="text-small text-ink-soft">{texts.details.firstFrameOnly}</p>}
        {children}
        <Details
          file={file}
          metadata={metadata}
          onMove={actions.move}
          onChangeDate={actions.changeDate}
          onChangePlace={actions.changePlace}
          onRehash={mayEdit ? actions.rehash : undefined}
        />
      </div>
    </aside>
  )
}

function Damage({ file }: { file: MediaFile }) {
  if (file.missing) return <p className="text-small text-warn">{texts.details.missing}</p>
  if (!file.partly_damaged) return null
  const text =
    file.incomplete === null
      ? texts.details.partlyDamaged[file.file_type]
      : `${incompleteText(file.file_size, file.incomplete)} ${texts.details.incomplete}`
  return <p className="text-small text-warn">{text}</p>
}

interface NameFieldProps {
  file: MediaFile
  onRename: (file: MediaFile, newName: string) => Promise<boolean>
}

/** The name, edited in place: Enter saves, Escape cancels, and an empty name is ignored. */
function NameField({ file, onRename }: NameFieldProps) {
  const mayRename = useCan('media.edit')
  const [draft, setDraft] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const editing = draft !== null
  useEffect(() => {
    if (!editing || field.current === null) return
    selectBaseName(field.current)
  }, [editing])

  async function close({ save }: { save: boolean }) {
    const name = draft?.trim() ?? ''
    setDraft(null)
    if (!save || name === '' || name === file.original_name) return
    // A rejected name can be corrected, unless the person is typing another one already.
    if (!(await onRename(file, name))) setDraft(now => now ?? name)
  }

  function onKeyDown(event: KeyboardEvent) {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    void close({ save: event.key === 'Enter' })
    // After the button is rendered again.
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
      {mayRename && (
        <IconButton ref={button} label={texts.rename} onClick={() => setDraft(file.original_name)}>
          <Pencil aria-hidden="true" className="size-5" />
        </IconButton>
      )}
    </div>
  )
}
