import type { Notification } from '#contract/notifications.ts'
import { type Refusal, refusalInWords } from '#messages/errors.ts'
import { translated } from '../kit/messages.ts'

/** Empty in English: the server says it in English. */
const notices = translated('notices', {})

/** In the language of the page; in English what only another version of the server says. */
export function noticeInWords(notification: Notification): { title: string; message: string } {
  const { title, title_key, title_values, message, message_key, message_values } = notification
  return {
    title: inWords(title, title_key, title_values),
    message: inWords(message, message_key, message_values),
  }
}

function inWords(english: string, key: string | undefined, values: Refusal['values']): string {
  return (key === undefined ? undefined : refusalInWords(notices, { key, values })) ?? english
}
