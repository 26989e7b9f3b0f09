import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { CloseOnBack } from '../ui/CloseOnBack.tsx'
import { useChat } from './ChatProvider.tsx'
import { ConversationView } from './conversation/ConversationView.tsx'
import { ConversationList } from './list/ConversationList.tsx'
import { texts } from './texts.ts'
import { useFullScreenChat } from './use-full-screen-chat.ts'

interface Props {
  onOpenPhoto: (mediaId: number) => void
}

export function ChatWindow({ onOpenPhoto }: Props) {
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
      {fillsScreen && <CloseOnBack onBack={close} />}
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
