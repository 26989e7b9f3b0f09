import { MessageCirclePlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNow } from '../../kit/clock.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ChatHeader } from '../ChatHeader.tsx'
import { useChat } from '../ChatProvider.tsx'
import { LoadingOrError } from '../LoadingOrError.tsx'
import { useConversations } from '../queries.ts'
import { NewConversation } from '../start/NewConversation.tsx'
import { texts } from '../texts.ts'
import { ConversationRow } from './ConversationRow.tsx'

export function ConversationList() {
  const { me, show } = useChat()
  const { conversations, error, retry } = useConversations({ open: true })
  const [starting, setStarting] = useState(false)
  const start = useRef<HTMLButtonElement>(null)
  const now = useNow()
  useEffect(() => start.current?.focus(), [])

  return (
    <>
      <ChatHeader title={texts.title}>
        <IconButton ref={start} label={texts.list.start} onClick={() => setStarting(true)}>
          <MessageCirclePlus aria-hidden="true" className="size-5" />
        </IconButton>
      </ChatHeader>
      {conversations === undefined ? (
        <LoadingOrError error={error} retry={retry} />
      ) : conversations.length === 0 ? (
        <Empty onStart={() => setStarting(true)} />
      ) : (
        <ul aria-label={texts.list.label} className="min-h-0 flex-1 divide-y divide-line overflow-y-auto">
          {conversations.map(conversation => (
            <ConversationRow key={conversation.id} conversation={conversation} me={me} now={now} onOpen={show} />
          ))}
        </ul>
      )}
      <NewConversation
        open={starting}
        onOpenChange={setStarting}
        onStarted={({ id }) => {
          setStarting(false)
          show(id)
        }}
      />
    </>
  )
}

function Empty({ onStart }: { onStart: () => void }) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-1 p-8 text-center">
      <p className="font-semibold">{texts.list.empty.title}</p>
      <p className="mb-4 text-ink-soft">{texts.list.empty.text}</p>
      <Button variant="primary" onClick={onStart}>
        {texts.list.start}
      </Button>
    </div>
  )
}
