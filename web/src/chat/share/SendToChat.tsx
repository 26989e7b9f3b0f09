import { type KeyboardEvent, type ReactElement, type SyntheticEvent, useState } from 'react'
import { toast } from 'sonner'
import { type SharedFile, startDirect } from '#contract/chat.ts'
import { lengths } from '#contract/limits.ts'
import { call } from '../../kit/api.ts'
import { logError } from '../../kit/log.ts'
import { usePeople } from '../../mentions/people.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { useIsMounted } from '../../ui/hooks.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useChat } from '../ChatProvider.tsx'
import { send as sendMessage, useConversations } from '../queries.ts'
import { texts } from '../texts.ts'
import { buildDestinations, type Destination, DestinationPicker } from './DestinationPicker.tsx'

interface Props {
  file: SharedFile
  renderTrigger: (open: () => void) => ReactElement
}

/** Sends the open photo or video to a conversation. */
export function SendToChat({ file, renderTrigger }: Props) {
  // Fixed when the dialog opens, because the viewer behind it may move on to another file.
  const [shared, setShared] = useState(file)
  const [open, setOpen] = useState(false)

  function share() {
    setShared(file)
    setOpen(true)
  }
  return (
    <>
      {renderTrigger(share)}
      <Dialog open={open} onOpenChange={setOpen} title={texts.share.title}>
        <div {...stopPropagation} className="contents">
          <ShareForm file={shared} onDone={() => setOpen(false)} />
        </div>
      </Dialog>
    </>
  )
}

/** React events bubble through portals: keep clicks and keys from the viewer, except the one that closes the dialog. */
const stopPropagation = {
  onClick: (event: SyntheticEvent) => event.stopPropagation(),
  onKeyDown: (event: KeyboardEvent) => event.key !== 'Escape' && event.stopPropagation(),
}

interface ShareFormProps {
  file: SharedFile
  onDone: () => void
}

function ShareForm({ file, onDone }: ShareFormProps) {
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

/** The message goes through the outbox, which shows its state in the chat. */
function useSend(file: SharedFile, onDone: () => void) {
  const [busy, setBusy] = useState(false)
  const isMounted = useIsMounted()

  async function send(to: Destination, words: string) {
    setBusy(true)
    const sent = await conversationWith(to)
      .then(conversation => sendMessage(conversation, words.trim(), cardOf(file)))
      .catch((error: unknown) => {
        logError('A message could not be sent', error)
        return 'nowhere' as const
      })
    setBusy(false)
    if (sent === 'nowhere') return toast.error(texts.start.failure)
    // The words stay in the form.
    if (sent === 'refused') return
    if (isMounted()) onDone()
    if (sent === 'sent') toast.success(texts.share.sent({ title: to.title }))
    else if (sent === 'waiting') toast.warning(texts.share.notSent, { description: texts.share.notSentText })
  }
  return { send, busy }
}

async function conversationWith(to: Destination): Promise<number> {
  if ('conversationId' in to) return to.conversationId
  return (await call(startDirect, { body: { otherUserId: to.personId } })).id
}

/** Only the fields that a message's card shows: the outbox stores them. */
function cardOf({ id, original_name, file_type, thumbnail_url, width, height, thumbhash }: SharedFile): SharedFile {
  return { id, original_name, file_type, thumbnail_url, width, height, thumbhash }
}
