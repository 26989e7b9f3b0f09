import { inWords, type KeyOf, type NamedMessage, type ValuesOf } from '#messages/keys.ts'
import type { Locale } from '#messages/locales.ts'
import type { Messages } from '#messages/types.ts'
import { textsIn } from '../kit/messages.ts'

type Notices = Messages['notices']
type NoticeKey = KeyOf<Notices>

/** A message of `notices.json`. The page shows it in the language of its reader. */
export interface Notice extends NamedMessage {
  key: NoticeKey
}

type Details<Key extends NoticeKey> =
  Record<never, never> extends ValuesOf<Notices, Key> ? [] : [values: ValuesOf<Notices, Key>]

export function notice<Key extends NoticeKey>(key: Key, ...[values]: Details<Key>): Notice {
  return { key, values }
}

export function inEnglish(notice: Notice): string {
  return noticeIn('en', notice)
}

export function noticeIn(locale: Locale, notice: Notice): string {
  const words = inWords(textsIn('notices', locale), notice)
  if (words === undefined) throw new Error(`messages/${locale}/notices.json has no message ${notice.key}`)
  return words
}
