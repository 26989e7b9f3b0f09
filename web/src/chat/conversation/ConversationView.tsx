import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Conversation } from '#contract/chat.ts'
import { CloseOnBack } from '../../ui/CloseOnBack.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ChatHeader } from '../ChatHeader.tsx'
import { useChat } from '../ChatProvider.tsx'
import { GroupMenu } from '../group/GroupMenu.tsx'
import { LoadingOrError } from '../LoadingOrError.tsx'
import { titleOf } from '../list/ConversationRow.tsx'
import { useConversations, useHistory } from '../queries.ts'
import { texts } from '../texts.ts'
import { useFullScreenChat } from '../use-full-screen-chat.ts'
import { Composer } from './Composer.tsx'
import { Messages } from './Messages.tsx'
import { TypingLine } from './TypingLine.tsx'

interface Props {
  id: number
  onBack: () => void
  onOpenPhoto: (mediaId: number) => void
}

export function ConversationView({ id, onBack, onOpenPhoto }: Props) {
  const { conversations, error, retry } = useConversations({ open: true })
  const conversation = conversations?.find(known => known.id === id)
  const gone = conversations !== undefined && conversation === undefined
  useEffect(() => {
    // The person left it in another tab, or never was a participant.
    if (gone) onBack()
  }, [gone, onBack])

  if (conversation === undefined) {
    return (
      <>
        <Header title="" onBack={onBack} />
        <LoadingOrError error={error} retry={retry} />
      </>
    )
  }
  return <OpenConversation conversation={conversation} onBack={onBack} onOpenPhoto={onOpenPhoto} />
}

function OpenConversation({ conversation, onBack, onOpenPhoto }: Omit<Props, 'id'> & { conversation: Conversation }) {
  const { me } = useChat()
  const { id, type, participants, participant_count } = conversation
  const { history, error, retry, loadOlder, readingOlder } = useHistory(id)
  const lastSender = history?.messages.at(-1)
  return (
    <>
      <Header
        title={titleOf(conversation)}
        detail={type === 'group' ? texts.list.participants({ count: participant_count }) : undefined}
        onBack={onBack}
      >
        {type === 'group' && <GroupMenu conversation={conversation} onLeft={onBack} />}
      </Header>
      {history === undefined ? (
        <LoadingOrError error={error} retry={retry} />
      ) : (
        <Messages
          conversation={conversation}
          history={history}
          loadOlder={loadOlder}
          readingOlder={readingOlder}
          onOpenPhoto={onOpenPhoto}
        />
      )}
      <TypingLine conversationId={id} others={participants.filter(person => person.id !== me.id)} last={lastSender} />
      <Composer conversation={conversation} />
    </>
  )
}

interface HeaderProps {
  title: string
  detail?: string | undefined
  onBack: () => void
  children?: ReactNode
}

function Header({ title, detail, onBack, children }: HeaderProps) {
  const fillsScreen = useFullScreenChat()
  return (
    <>
      {fillsScreen && <CloseOnBack onBack={onBack} />}
      <ChatHeader
        title={title}
        detail={detail}
        start={
          <IconButton label={texts.conversation.back} onClick={onBack}>
            <ChevronLeft aria-hidden="true" className="size-5" />
          </IconButton>
        }
      >
        {children}
      </ChatHeader>
    </>
  )
}
