import type { Conversation } from '#contract/chat.ts'
import { chat } from '#contract/limits.ts'
import { texts } from '../texts.ts'

type Last = Pick<Conversation, `last_message${'' | '_at' | '_sender' | '_file'}`>

/** The last message, in one line. */
export function previewOf(last: Last, myUsername: string): string {
  if (last.last_message_at === null) return texts.list.noMessages
  const message = last.last_message
    ? truncate(last.last_message, chat.preview)
    : fileOnlyTexts[last.last_message_file ?? 'gone']
  return last.last_message_sender === myUsername ? texts.list.own({ message }) : message
}

/** For a file without a text. */
const fileOnlyTexts = { image: texts.list.photo, video: texts.list.video, gone: texts.list.goneFile } as const

/** Counts graphemes, so that no character is split. */
export function truncate(text: string, most: number): string {
  let [count, end] = [0, 0]
  for (const { index, segment } of new Intl.Segmenter().segment(text)) {
    if (count === most) return `${text.slice(0, end)}…`
    count += 1
    end = index + segment.length
  }
  return text
}
