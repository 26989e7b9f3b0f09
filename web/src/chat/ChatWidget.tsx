import { MessageCircle } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { formatBadge } from '../kit/format.ts'
import { Badge } from '../ui/Badge.tsx'
import { FloatingButton } from '../ui/FloatingButton.tsx'
import { prefetchedLazy } from '../ui/prefetched-lazy.ts'
import { useChat } from './ChatProvider.tsx'
import { useUnreadMessages } from './queries.ts'
import { texts } from './texts.ts'
import './chat.css'

const ChatWindow = prefetchedLazy(async () => (await import('./ChatWindow.tsx')).ChatWindow)

/** Non-modal: the page stays usable while it is open. */
export function ChatWidget({ onOpenPhoto }: { onOpenPhoto: (mediaId: number) => void }) {
  if (!useChat().open) return null
  return (
    <Suspense fallback={null}>
      <ChatWindow onOpenPhoto={onOpenPhoto} />
    </Suspense>
  )
}

/** Floats at the bottom right of every signed-in screen that has no tabs. */
export function FloatingChatButton() {
  const { label, unread, ...button } = useChatButton()
  if (useChat().open) return null
  return (
    <FloatingButton {...button} label={label}>
      <MessageCircle aria-hidden="true" className="size-6" />
      {unread > 0 && <Badge on="button">{formatBadge(unread)}</Badge>}
    </FloatingButton>
  )
}

/** For a button that opens the chat, with the last conversation. */
export function useChatButton() {
  const { open, reopen } = useChat()
  const unread = useUnreadMessages()
  const label = unread === 0 ? texts.title : texts.titleWithUnread({ unread })
  return { ref: useFocusAfterClosing(open), label, unread, 'aria-haspopup': 'dialog' as const, onClick: reopen }
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
