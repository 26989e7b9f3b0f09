import { type FormEvent, useRef, useState } from 'react'
import { toast } from 'sonner'
import { isVisible } from '#contract/common.ts'
import type { Folder } from '#contract/folders.ts'
import { lengths } from '#contract/limits.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { useIsMounted } from '../../ui/hooks.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useCreateFolder, useFolders } from '../queries.ts'
import { texts } from '../texts.ts'

interface Props {
  open: boolean
  onClose: () => void
  /** The preselected parent. */
  parentId: number | null
  onCreated?: (folder: Folder) => void
}

export function NewFolderDialog({ open, onClose, ...form }: Props) {
  const name = useRef<HTMLInputElement>(null)
  return (
    <Dialog open={open} onOpenChange={opens => opens || onClose()} title={texts.create.label} initialFocus={name}>
      <NewFolderForm {...form} nameField={name} onClose={onClose} />
    </Dialog>
  )
}

interface FormProps extends Omit<Props, 'open'> {
  nameField: { current: HTMLInputElement | null }
}

/** Mounted each time the dialog opens, so that its state is fresh. */
function NewFolderForm({ parentId, nameField, onClose, onCreated }: FormProps) {
  const { folders, byId } = useFolders()
  const [name, setName] = useState('')
  const [parent, setParent] = useState(parentId !== null && byId.has(parentId) ? String(parentId) : '')
  const isMounted = useIsMounted()
  const create = useCreateFolder(folder => isMounted() && onCreated?.(folder))

  async function submit(event: FormEvent) {
    event.preventDefault()
    // React events bubble through portals: do not submit the form of the dialog behind it.
    event.stopPropagation()
    if (create.busy) return
    if (!isVisible(name)) {
      toast.error(texts.nameMissing)
      nameField.current?.focus()
      return
    }
    const parent_id = parent === '' ? null : Number(parent)
    if ((await create.run({ body: { name: name.trim(), parent_id } })) && isMounted()) onClose()
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={event => void submit(event)}>
      <TextField
        ref={nameField}
        label={texts.create.name}
        value={name}
        maxLength={lengths.folderName}
        autoComplete="off"
        enterKeyHint="done"
        onChange={setName}
      />
      <SelectField
        label={texts.create.parent}
        value={parent}
        choices={[
          { value: '', label: texts.rootLevel },
          ...folders.map(({ id, path }) => ({ value: String(id), label: path })),
        ]}
        onChange={setParent}
      />
      <DialogButtons>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={create.busy}>
          {texts.create.confirm}
        </Button>
      </DialogButtons>
    </form>
  )
}
