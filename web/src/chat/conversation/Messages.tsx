import { ArrowDown } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Conversation } from '#contract/chat.ts'
import { useNow } from '../../kit/clock.ts'
import { usePeople } from '../../mentions/people.ts'
import { Button } from '../../ui/Button.tsx'
import { ScrollSentinel } from '../../ui/ScrollSentinel.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { useChat, usePendingMessages } from '../ChatProvider.tsx'
import { texts } from '../texts.ts'
import type { History } from './history.ts'
import { MessageBlock, splitIntoBlocks } from './MessageBlock.tsx'
import { MessageRow } from './MessageRow.tsx'
import { lastReadMessage, useMarkAsRead } from './read-status.ts'
import { buildRows } from './rows.ts'
import { BeforeAfterUpdate, useScrollAnchor } from './use-scroll-anchor.ts'

interface Props {
  conversation: Conversation
  history: History
  loadOlder: () => void
  readingOlder: boolean
  onOpenPhoto: (mediaId: number) => void
}

/** Focusable, for scrolling with the keyboard. */
const reachable = { tabIndex: 0 }

export function Messages({ conversation, history, loadOlder, readingOlder, onOpenPhoto }: Props) {
  const { me } = useChat()
  const people = usePeople()
  const waiting = usePendingMessages(conversation.id)
  const now = useNow()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { atEnd, around, toEnd } = useScrollAnchor(scroller, content)
  useMarkAsRead(conversation, history, atEnd)
  useScrollToSent(waiting.at(-1)?.id, toEnd)

  const rows = useMemo(() => buildRows(history.messages, waiting, me), [history.messages, waiting, me])
  const pivot = Math.max(
    0,
    history.messages.findIndex(({ id }) => id === history.pivot),
  )
  const read = lastReadMessage(conversation, history.messages, me.id)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <BeforeAfterUpdate value={rows} {...around} />
      <div
        ref={scroller}
        {...reachable}
        role="log"
        aria-label={texts.conversation.log}
        aria-live="off"
        className="chat-log flex min-h-0 flex-1 flex-col overflow-y-auto px-3 focus-visible:outline-offset-[-3px]"
      >
        {rows.length === 0 && <Empty />}
        <div ref={content} className="mt-auto shrink-0 py-3">
          {!history.complete && !readingOlder && (
            <ScrollSentinel key={rows.length} margin={800} onVisible={loadOlder} />
          )}
          {readingOlder && (
            <div className="grid h-10 place-items-center text-accent">
              <Spinner size="small" />
            </div>
          )}
          {splitIntoBlocks(rows.length, pivot).map(({ key, from, to }) => (
            <MessageBlock key={key} scroller={scroller}>
              {() =>
                rows
                  .slice(from, to)
                  .map(row => (
                    <MessageRow
                      key={row.key}
                      row={row}
                      people={people}
                      now={now}
                      inGroup={conversation.type === 'group'}
                      readAt={row.message.id === read?.messageId ? read.at : undefined}
                      onOpenPhoto={onOpenPhoto}
                    />
                  ))
              }
            </MessageBlock>
          ))}
        </div>
      </div>
      <NewMessagesButton newest={history.messages.at(-1)?.id} atEnd={atEnd} toEnd={toEnd} />
      <NewMessageAnnouncer history={history} myId={me.id} />
    </div>
  )
}

function Empty() {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-1 p-8 text-center">
      <p className="font-semibold">{texts.conversation.empty.title}</p>
      <p className="text-ink-soft">{texts.conversation.empty.text}</p>
    </div>
  )
}

/** Scrolls to the end after sending. */
function useScrollToSent(lastWaiting: string | undefined, toEnd: () => void): void {
  const show = useEffectEvent(toEnd)
  useEffect(() => {
    if (lastWaiting !== undefined) show()
  }, [lastWaiting])
}

/** Shown when messages arrive below the visible part. */
function NewMessagesButton({
  newest,
  atEnd,
  toEnd,
}: {
  newest: number | undefined
  atEnd: boolean
  toEnd: () => void
}) {
  const [seen, setSeen] = useState(newest)
  if (atEnd && seen !== newest) setSeen(newest)
  if (atEnd || seen === newest) return null
  return (
    <div className="-translate-x-1/2 absolute bottom-2 left-1/2">
      <Button variant="primary" icon={<ArrowDown aria-hidden="true" className="size-5" />} onClick={toEnd}>
        {texts.conversation.newMessages}
      </Button>
    </div>
  )
}

/** For screen readers: announces new messages of others, but not older ones that are loaded above. */
function NewMessageAnnouncer({ history, myId }: { history: History; myId: number }) {
  const newest = history.messages.at(-1)
  const [openedWith] = useState(newest?.id)
  const isNews = newest !== undefined && newest.id !== openedWith && newest.sender_id !== myId
  return (
    <p role="status" className="sr-only">
      {isNews &&
        texts.conversation.announcement({
          name: newest.sender_name,
          content: newest.content || (newest.media?.original_name ?? ''),
        })}
    </p>
  )
}
