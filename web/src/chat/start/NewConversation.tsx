import { useState } from 'react'
import type { Conversation } from '#contract/chat.ts'
import { lengths } from '#contract/limits.ts'
import { usePeople } from '../../mentions/people.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useIsMounted } from '../../ui/use-is-mounted.ts'
import { useChat } from '../ChatProvider.tsx'
import { CloseOnBackGesture } from '../CloseOnBackGesture.tsx'
import { PeoplePicker } from '../people/PeoplePicker.tsx'
import { useCreateGroup, useStartDirect } from '../queries.ts'
import { texts } from '../texts.ts'
import { KindTabs } from './KindTabs.tsx'
import { canStart, emptyDraft, missingFields, withKind, withPersonToggled } from './new-conversation-draft.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  onStarted: (conversation: Conversation) => void
}

export function NewConversation({ open, onOpenChange, onStarted }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.start.title}>
      <CloseOnBackGesture onBack={() => onOpenChange(false)} />
      <Form onCancel={() => onOpenChange(false)} onStarted={onStarted} />
    </Dialog>
  )
}

function Form({ onCancel, onStarted }: { onCancel: () => void; onStarted: (conversation: Conversation) => void }) {
  const { me } = useChat()
  const [choosing, setChoosing] = useState(emptyDraft)
  const here = useIsMounted()
  // Whoever has cancelled meanwhile may be writing to somebody else.
  const started = (conversation: Conversation) => here() && onStarted(conversation)
  const direct = useStartDirect(started)
  const group = useCreateGroup(started)
  const others = usePeople().filter(({ id }) => id !== me.id)
  const { kind, chosen, title } = choosing
  const [first] = chosen
  const ready = canStart(choosing)

  function start() {
    if (!ready || first === undefined) return
    if (kind === 'direct') void direct.run({ body: { otherUserId: first } })
    else void group.run({ body: { title: title.trim(), participantIds: [...chosen] } })
  }

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        start()
      }}
    >
      <KindTabs kind={kind} onChoose={value => setChoosing(so => withKind(value, so))}>
        {kind === 'group' && (
          <TextField
            label={texts.start.groupName}
            value={title}
            maxLength={lengths.groupTitle}
            onChange={title => setChoosing(so => ({ ...so, title }))}
          />
        )}
        <PeoplePicker
          key="people"
          people={others}
          chosen={chosen}
          onToggle={id => setChoosing(so => withPersonToggled(id, so))}
        />
      </KindTabs>
      <p role="status" className="text-ink-soft text-small empty:hidden">
        {missingFields(choosing)
          .map(what => texts.start.lacking[what])
          .join(' ')}
      </p>
      <DialogButtons>
        <Button onClick={onCancel}>{texts.start.cancel}</Button>
        <Button variant="primary" type="submit" disabled={!ready} busy={direct.busy || group.busy}>
          {kind === 'direct' ? texts.start.startChat : texts.start.createGroup}
        </Button>
      </DialogButtons>
    </form>
  )
}
