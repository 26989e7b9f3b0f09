import { Tabs } from '@base-ui/react/tabs'
import { type ReactNode, useState } from 'react'
import type { Conversation } from '#contract/chat.ts'
import { chat, lengths } from '#contract/limits.ts'
import { usePeople } from '../../mentions/people.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { useIsMounted } from '../../ui/hooks.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useChat } from '../ChatProvider.tsx'
import { PeoplePicker } from '../people/PeoplePicker.tsx'
import { useCreateGroup, useStartDirect } from '../queries.ts'
import { texts } from '../texts.ts'
import {
  canStart,
  emptyDraft,
  missingFields,
  type NewConversationDraft,
  withKind,
  withPersonToggled,
} from './new-conversation-draft.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  onStarted: (conversation: Conversation) => void
}

export function NewConversation({ open, onOpenChange, onStarted }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.start.title}>
      <Form onCancel={() => onOpenChange(false)} onStarted={onStarted} />
    </Dialog>
  )
}

function Form({ onCancel, onStarted }: { onCancel: () => void; onStarted: (conversation: Conversation) => void }) {
  const { me } = useChat()
  const [choosing, setChoosing] = useState(emptyDraft)
  const isMounted = useIsMounted()
  // After a cancel, another conversation may be open.
  const started = (conversation: Conversation) => isMounted() && onStarted(conversation)
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
      {/* Empty it takes no room, but stays in the accessibility tree: else its first text would not be announced. */}
      <p role="status" className="text-ink-soft text-small empty:absolute">
        {missingFields(choosing).map(lackingInWords).join(' ')}
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

function lackingInWords(what: 'name' | 'people'): string {
  const { name, people } = texts.start.lacking
  return what === 'name' ? name : people({ count: chat.leastInGroup })
}

type Kind = NewConversationDraft['kind']

interface KindTabsProps {
  kind: Kind
  onChoose: (kind: Kind) => void
  children: ReactNode
}

const kinds = [
  ['direct', texts.start.direct],
  ['group', texts.start.group],
] as const

/** Both kinds share one panel, because choosing a second person changes the kind and must not move the focus. */
function KindTabs({ kind, onChoose, children }: KindTabsProps) {
  return (
    <Tabs.Root value={kind} onValueChange={onChoose}>
      <Tabs.List aria-label={texts.start.tabs} className="-mb-px relative flex pt-1">
        {kinds.map(([value, label]) => (
          <Tabs.Tab key={value} value={value} className="tab min-h-touch flex-1 px-3 py-2 font-semibold">
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={kind} className="flex flex-col gap-3 rounded-card rounded-t-none border border-line p-3">
        {children}
      </Tabs.Panel>
    </Tabs.Root>
  )
}
