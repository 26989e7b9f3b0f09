import { useState } from 'react'
import type { Conversation } from '#contract/chat.ts'
import { lengths } from '#contract/limits.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useIsMounted } from '../../ui/use-is-mounted.ts'
import { CloseOnBackGesture } from '../CloseOnBackGesture.tsx'
import { useRenameGroup } from '../queries.ts'
import { texts } from '../texts.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  conversation: Conversation
  onDone: () => void
}

export function RenameGroup({ open, onOpenChange, conversation, onDone }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.group.rename}>
      <CloseOnBackGesture onBack={() => onOpenChange(false)} />
      <Form conversation={conversation} onDone={onDone} />
    </Dialog>
  )
}

function Form({ conversation: { id, title }, onDone }: Pick<Props, 'conversation' | 'onDone'>) {
  const [name, setName] = useState(title)
  const rename = useRenameGroup()
  const here = useIsMounted()
  const wanted = name.trim()

  async function save() {
    if (wanted === '') return
    const worked = wanted === title || (await rename.run({ params: { id }, body: { title: wanted } }))
    if (worked && here()) onDone()
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField label={texts.start.groupName} value={name} maxLength={lengths.groupTitle} onChange={setName} />
      <DialogButtons>
        <Button onClick={onDone}>{texts.group.cancel}</Button>
        <Button variant="primary" type="submit" disabled={wanted === ''} busy={rename.busy}>
          {texts.group.save}
        </Button>
      </DialogButtons>
    </form>
  )
}
