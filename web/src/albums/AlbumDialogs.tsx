import { type FormEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import type { Album, AlbumSearch } from '#contract/albums.ts'
import { isVisible } from '#contract/common.ts'
import { lengths } from '#contract/limits.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { useIsMounted } from '../ui/hooks.ts'
import { fieldClass, TextField } from '../ui/TextField.tsx'
import { albumPath } from './album-path.ts'
import { useCreateAlbum, useUpdateAlbum } from './queries.ts'
import { texts } from './texts.ts'

interface NewProps {
  /** The files that it begins with. */
  fileIds?: readonly number[]
  /** The filter that fills it, and what it says in words; undefined while they are loading. */
  search?: AlbumSearch
  searchWords?: string | undefined
  title?: string
  onClose: () => void
  onCreated?: (album: Album) => void
}

/** Open while it is mounted. */
export function NewAlbumDialog({ fileIds, search, searchWords, title = '', onClose, onCreated }: NewProps) {
  const create = useCreateAlbum()
  const navigate = useNavigate()
  const plainHint = fileIds === undefined ? texts.create.smartHint : undefined
  return (
    <AlbumDialog
      heading={search === undefined ? texts.create.label : texts.saveSearch.title}
      hint={search === undefined ? plainHint : texts.saveSearch.text({ search: searchWords ?? '…' })}
      initial={{ title, description: '' }}
      confirm={texts.create.confirm}
      busy={create.busy}
      onClose={onClose}
      onSave={async body => {
        const filled = fileIds !== undefined && fileIds.length > 0 ? { fileIds: [...fileIds] } : {}
        const input = { body: { ...body, ...filled, ...(search === undefined ? {} : { search }) } }
        // Also without some of its files: a second attempt would make a second album.
        let exists = false
        const whenDone = (album: Album) => {
          exists = true
          onCreated?.(album)
        }
        // Elsewhere the page of the album opens at once.
        const open = ({ id }: Album) => ({ label: texts.create.open, onClick: () => void navigate(albumPath(id)) })
        await create.run(input, fileIds === undefined ? { whenDone } : { whenDone, open })
        return exists
      }}
    />
  )
}

/** Open while it is mounted. */
export function EditAlbumDialog({ album, onClose }: { album: Album; onClose: () => void }) {
  const update = useUpdateAlbum(album)
  return (
    <AlbumDialog
      heading={texts.edit.label}
      initial={album}
      confirm={texts.form.save}
      busy={update.busy}
      onClose={onClose}
      onSave={body => update.run({ params: { id: album.id }, body })}
    />
  )
}

interface Texts {
  title: string
  description: string
}

interface Props {
  heading: string
  hint?: string | undefined
  initial: Texts
  confirm: string
  busy: boolean
  onClose: () => void
  /** Resolves to whether it worked. */
  onSave: (texts: Texts) => Promise<boolean>
}

function AlbumDialog({ heading, hint, initial, confirm, busy, onClose, onSave }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [title, setTitle] = useState(initial.title)
  const [description, setDescription] = useState(initial.description)
  const isMounted = useIsMounted()
  const id = useId()

  async function submit(event: FormEvent) {
    event.preventDefault()
    // React events bubble through portals: do not submit the form of the dialog behind it.
    event.stopPropagation()
    if (busy) return
    if (!isVisible(title)) {
      toast.error(texts.form.titleMissing)
      field.current?.focus()
      return
    }
    if ((await onSave({ title: title.trim(), description: description.trim() })) && isMounted()) onClose()
  }
  return (
    <Dialog open onOpenChange={open => open || onClose()} title={heading} initialFocus={field}>
      <form noValidate className="flex flex-col gap-4" onSubmit={event => void submit(event)}>
        {hint !== undefined && <p className="text-ink-soft text-small">{hint}</p>}
        <TextField
          ref={field}
          label={texts.form.title}
          value={title}
          maxLength={lengths.albumTitle}
          autoComplete="off"
          onChange={setTitle}
        />
        <div className="flex flex-col gap-1.5">
          <label htmlFor={id} className="font-semibold text-small">
            {texts.form.description}
          </label>
          <textarea
            id={id}
            value={description}
            rows={4}
            maxLength={lengths.albumDescription}
            placeholder={texts.form.descriptionHint}
            dir="auto"
            onChange={event => setDescription(event.target.value)}
            className={fieldClass}
          />
        </div>
        <DialogButtons>
          <Button onClick={onClose}>{texts.form.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
