import { MessageCircle } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { formatBadge } from '../kit/format.ts'
import { Badge } from '../ui/Badge.tsx'
import { FloatingButton } from '../ui/FloatingButton.tsx'
import { useChat } from './ChatProvider.tsx'
import { CloseOnBackGesture } from './CloseOnBackGesture.tsx'
import { ConversationView } from './conversation/ConversationView.tsx'
import { ConversationList } from './list/ConversationList.tsx'
import { useUnreadMessages } from './queries.ts'
import { texts } from './texts.ts'
import { useFullScreenChat } from './use-full-screen-chat.ts'
import './chat.css'

interface Props {
  onOpenPhoto: (mediaId: number) => void
}

/** Floats at the bottom right of every signed-in screen. Non-modal: the page stays usable while it is open. */
export function ChatWidget({ onOpenPhoto }: Props) {
  const { open, reopen } = useChat()
  const unread = useUnreadMessages()
  const button = useFocusAfterClosing(open)
  if (open) return <ChatWindow onOpenPhoto={onOpenPhoto} />
  return (
    <FloatingButton
      ref={button}
      label={unread === 0 ? texts.title : texts.titleWithUnread(unread)}
      aria-haspopup="dialog"
      onClick={reopen}
    >
      <MessageCircle aria-hidden="true" className="size-6" />
      {unread > 0 && <Badge on="button">{formatBadge(unread)}</Badge>}
    </FloatingButton>
  )
}

/** Focuses the chat button after closing, for keyboards. */
function useFocusAfterClosing(open: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(open)
  useEffect(() => {
    if (wasOpen.current && !open && document.activeElement === document.body) button.current?.focus()
    wasOpen.current = open
  }, [open])
  return button
}

function ChatWindow({ onOpenPhoto }: Props) {
  const { conversationId, show, close } = useChat()
  const window = useRef<HTMLDivElement>(null)
  const fillsScreen = useFullScreenChat()
  usePageScrollLock(fillsScreen)
  useEffect(() => {
    // Focus the window if its new content did not take the focus.
    if (conversationId !== null && !window.current?.contains(document.activeElement)) window.current?.focus()
  }, [conversationId])

  function onKeyDown(event: KeyboardEvent) {
    // Dialogs and menus are rendered in portals and handle Escape themselves.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return
    event.preventDefault()
    close()
  }
  return (
    <div
      ref={window}
      role="dialog"
      aria-label={texts.title}
      aria-modal={fillsScreen}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="chat-window"
    >
      <CloseOnBackGesture onBack={close} />
      {conversationId === null ? (
        <ConversationList />
      ) : (
        <ConversationView
          key={conversationId}
          id={conversationId}
          onBack={() => show(null)}
          onOpenPhoto={onOpenPhoto}
        />
      )}
    </div>
  )
}

/** Locks the scrolling of the page behind a full-screen chat. */
function usePageScrollLock(fills: boolean): void {
  useLayoutEffect(() => {
    if (!fills) return
    document.documentElement.classList.add('chat-fills-screen')
    return () => document.documentElement.classList.remove('chat-fills-screen')
  }, [fills])
}
