import type { Generated } from 'kysely'
import type { Locale } from '#messages/locales.ts'

export interface PushTables {
  push_subscriptions: PushSubscriptionsTable
}

/** A device that gets notifications. It is deleted with its session. */
interface PushSubscriptionsTable {
  id: Generated<number>
  person_id: number
  session_hash: string
  /** A secret address at the push service of the browser's maker. */
  endpoint: string
  /** The browser's keys, which messages are encrypted for. */
  p256dh: string
  auth: string
  /** Of the pages on this device, for people who have not chosen one. */
  language: Locale
  time_zone: string
  /** The kinds that the person wants, separated by commas. */
  kinds: string
  /** 1: messages have names and words; 0: a general sentence. */
  previews: number
  /** Minutes of the day; null: no quiet hours. */
  quiet_from: number | null
  quiet_until: number | null
  /** Photos that were added later have not been sent yet. */
  photos_since: number
  created_at: number
}
