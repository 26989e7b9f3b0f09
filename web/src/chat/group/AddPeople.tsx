import { useState } from 'react'
import type { Conversation } from '#contract/chat.ts'
import { usePeople } from '../../mentions/people.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { useIsMounted } from '../../ui/use-is-mounted.ts'
import { CloseOnBackGesture } from '../CloseOnBackGesture.tsx'
import { PeoplePicker } from '../people/PeoplePicker.tsx'
import { useAddToGroup } from '../queries.ts'
import { texts } from '../texts.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  conversation: Conversation
  onDone: () => void
}

export function AddPeople({ open, onOpenChange, conversation, onDone }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.group.add}>
      <CloseOnBackGesture onBack={() => onOpenChange(false)} />
      <Form conversation={conversation} onDone={onDone} />
    </Dialog>
  )
}

function Form({ conversation: { id, participants }, onDone }: Pick<Props, 'conversation' | 'onDone'>) {
  const [chosen, setChosen] = useState<readonly number[]>([])
  const add = useAddToGroup()
  const here = useIsMounted()
  const others = usePeople().filter(person => !participants.some(({ id }) => id === person.id))

  function toggle(person: number) {
    setChosen(chosen.includes(person) ? chosen.filter(other => other !== person) : [...chosen, person])
  }

  async function confirm() {
    const worked = await add.run({ params: { id }, body: { participantIds: [...chosen] } })
    if (worked && here()) onDone()
  }
  return (
    <>
      <PeoplePicker people={others} chosen={chosen} onToggle={toggle} />
      <DialogButtons>
        <Button onClick={onDone}>{texts.group.cancel}</Button>
        <Button variant="primary" disabled={chosen.length === 0} busy={add.busy} onClick={() => void confirm()}>
          {texts.group.addButton(chosen.length)}
        </Button>
      </DialogButtons>
    </>
  )
}
