import { useEffect, useState } from 'react'
import type { Message, Participant } from '#contract/chat.ts'
import { chat } from '#contract/limits.ts'
import { onLiveEvent } from '../../live/status.ts'
import { texts } from '../texts.ts'

interface Props {
  conversationId: number
  others: readonly Participant[]
  /** The newest message. Its sender counts as no longer typing. */
  last: Message | undefined
}

/** Who is typing. Always takes up its space, so that nothing jumps. */
export function TypingLine({ conversationId, others, last }: Props) {
  const writing = usePeopleTyping(conversationId, last)
  const names = others.filter(({ id }) => writing.has(id)).map(({ name }) => name)
  return (
    <p className="h-5 shrink-0 truncate px-4 text-fine text-ink-soft">{names.length > 0 && typingInWords(names)}</p>
  )
}

function typingInWords([first = '', second, ...others]: readonly string[]): string {
  const { one, two, several } = texts.conversation.typing
  if (second === undefined) return one({ name: first })
  return others.length === 0 ? two({ first, second }) : several
}

function usePeopleTyping(conversationId: number, last: Message | undefined): ReadonlySet<number> {
  const [writing, setWriting] = useState<ReadonlySet<number>>(new Set())
  const lastId = last?.id
  const lastSender = last?.sender_id

  useEffect(() => {
    const timers = new Map<number, ReturnType<typeof setTimeout>>()
    const stop = (person: number) => setWriting(now => new Set([...now].filter(id => id !== person)))
    const unsubscribe = onLiveEvent(event => {
      if (event.kind !== 'typing' || event.conversation_id !== conversationId) return
      const person = event.person_id
      clearTimeout(timers.get(person))
      timers.set(
        person,
        setTimeout(() => stop(person), chat.typing.shown),
      )
      setWriting(now => new Set([...now, person]))
    })
    return () => {
      unsubscribe()
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }, [conversationId])

  useEffect(() => {
    if (lastId === undefined) return
    setWriting(now => new Set([...now].filter(id => id !== lastSender)))
  }, [lastId, lastSender])
  return writing
}
