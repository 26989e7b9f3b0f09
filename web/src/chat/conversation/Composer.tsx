import { SendHorizontal } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Conversation, typing } from '#contract/chat.ts'
import { isVisible } from '#contract/common.ts'
import { chat, lengths } from '#contract/limits.ts'
import { call } from '../../kit/api.ts'
import { logError } from '../../kit/log.ts'
import { MentionField } from '../../mentions/MentionField.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useChat } from '../ChatProvider.tsx'
import { useDraft } from '../drafts.ts'
import { send as sendMessage } from '../queries.ts'
import { texts } from '../texts.ts'
import { useFullScreenChat } from '../use-full-screen-chat.ts'

export function Composer({ conversation: { id, participants } }: { conversation: Conversation }) {
  const { me } = useChat()
  const [draft, setDraft] = useDraft(me.id, id)
  const field = useRef<HTMLTextAreaElement | HTMLInputElement>(null)
  const sayTyping = useSendTyping(id)
  const blank = !isVisible(draft)
  const fillsScreen = useFullScreenChat()
  useEffect(() => {
    // Not on phones, where the on-screen keyboard would cover the messages.
    if (!fillsScreen) field.current?.focus()
  }, [fillsScreen])

  function change(text: string) {
    setDraft(text)
    if (text.trim() !== '') sayTyping()
  }

  function send() {
    if (blank) return
    const content = draft.trim()
    setDraft('')
    field.current?.focus()
    void sendMessage(id, content).then(
      status => status === 'refused' && field.current?.value === '' && setDraft(content),
    )
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
      className="flex shrink-0 items-end gap-1 border-line border-t bg-raised p-2"
    >
      <div className="min-w-0 flex-1">
        <MentionField
          ref={field}
          label={texts.composer.label}
          placeholder={texts.composer.placeholder}
          value={draft}
          onChange={change}
          people={participants.filter(person => person.id !== me.id)}
          maxLength={lengths.message}
          multiline
          submitOn="Enter"
          onSubmit={send}
        />
      </div>
      <IconButton label={texts.composer.send} type="submit" disabled={blank}>
        <SendHorizontal aria-hidden="true" className={`size-5 ${blank ? 'text-ink-soft' : 'text-accent'}`} />
      </IconButton>
    </form>
  )
}

/** Typing indicator, throttled. */
function useSendTyping(id: number): () => void {
  const sentAt = useRef(0)
  return () => {
    if (Date.now() - sentAt.current < chat.typing.every) return
    sentAt.current = Date.now()
    call(typing, { params: { id } }).catch((error: unknown) =>
      logError('The typing indicator could not be sent', error),
    )
  }
}
