import { useState } from 'react'
import { toast } from 'sonner'
import { type SharedFile, startDirect } from '#contract/chat.ts'
import { lengths } from '#contract/limits.ts'
import { call } from '../../kit/api.ts'
import { logError } from '../../kit/log.ts'
import { usePeople } from '../../mentions/people.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogButtons } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useIsMounted } from '../../ui/use-is-mounted.ts'
import { useChat } from '../ChatProvider.tsx'
import { useConversations } from '../queries.ts'
import { texts } from '../texts.ts'
import { DestinationPicker } from './DestinationPicker.tsx'
import { buildDestinations, type Destination } from './destinations.ts'

interface Props {
  file: SharedFile
  onDone: () => void
}

export function ShareForm({ file, onDone }: Props) {
  const { me } = useChat()
  const people = usePeople()
  const { conversations = [] } = useConversations({ open: true })
  const [chosen, setChosen] = useState<Destination | null>(null)
  const [words, setWords] = useState('')
  const { send, busy } = useSend(file, onDone)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        if (chosen !== null && !busy) void send(chosen, words)
      }}
    >
      <DestinationPicker
        destinations={buildDestinations(conversations, people, me.id)}
        chosen={chosen?.key}
        onChoose={setChosen}
      />
      <TextField
        label={texts.share.note}
        placeholder={texts.share.notePlaceholder}
        value={words}
        maxLength={lengths.message}
        onChange={setWords}
      />
      <DialogButtons>
        <Button onClick={onDone}>{texts.share.cancel}</Button>
        <Button variant="primary" type="submit" disabled={chosen === null} busy={busy}>
          {texts.share.send}
        </Button>
      </DialogButtons>
    </form>
  )
}

/** Whatever becomes of it, the message itself is kept in the outbox and shows its state in the chat. */
function useSend(file: SharedFile, onDone: () => void) {
  const { outbox } = useChat()
  const [busy, setBusy] = useState(false)
  const here = useIsMounted()

  async function send(to: Destination, words: string) {
    setBusy(true)
    const sent = await conversationWith(to)
      .then(conversation_id => outbox.add({ conversation_id, content: words.trim(), media: cardOf(file) }))
      .catch((error: unknown) => {
        logError(texts.log.send, error)
        return 'nowhere' as const
      })
    setBusy(false)
    if (sent === 'nowhere') return toast.error(texts.start.failure)
    if (here()) onDone()
    if (sent) toast.success(texts.share.sent(to.title))
    else toast.warning(texts.share.notSent, { description: texts.share.notSentText })
  }
  return { send, busy }
}

async function conversationWith(to: Destination): Promise<number> {
  if ('conversationId' in to) return to.conversationId
  return (await call(startDirect, { body: { otherUserId: to.personId } })).id
}

/** What a message's card shows of a file, and no more of it. */
function cardOf({ id, original_name, file_type, thumbnail_url, width, height, thumbhash }: SharedFile): SharedFile {
  return { id, original_name, file_type, thumbnail_url, width, height, thumbhash }
}
