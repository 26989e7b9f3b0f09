import { useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { useIsMounted } from '../ui/hooks.ts'
import { useTagFiles } from './queries.ts'
import { TagField } from './TagField.tsx'
import { texts } from './texts.ts'

interface Props {
  fileIds: readonly number[]
  onClose: () => void
}

/** Adds a tag to several files. Open while it is mounted. */
export function TagDialog({ fileIds, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const tag = useTagFiles()
  const isMounted = useIsMounted()

  async function add(tagName: string): Promise<boolean> {
    const worked = await tag.run({ body: { fileIds: [...fileIds], tagName } })
    if (worked && isMounted()) onClose()
    return worked
  }
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={texts.dialog.title({ count: fileIds.length })}
      initialFocus={field}
    >
      <TagField field={field} taken={[]} onAdd={add} />
      <DialogButtons>
        <Button onClick={onClose}>{texts.dialog.cancel}</Button>
      </DialogButtons>
    </Dialog>
  )
}
