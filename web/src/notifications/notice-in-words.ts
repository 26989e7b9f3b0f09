import type { Notification } from '#contract/notifications.ts'
import { inWords } from '#messages/keys.ts'
import { texts } from './notice-texts.ts'

/** In the language of the page; in English if the server has another version, whose messages this page does not know. */
export function noticeInWords({ title, message, texts: named }: Pick<Notification, 'title' | 'message' | 'texts'>): {
  title: string
  message: string
} {
  if (named === undefined) return { title, message }
  return { title: inWords(texts, named.title) ?? title, message: inWords(texts, named.message) ?? message }
}
