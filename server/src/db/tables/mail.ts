import type { Generated } from 'kysely'
import type { Locale } from '#messages/locales.ts'

/** Mails, and who wants which. */
export interface MailTables {
  mails: MailsTable
  mail_recipients: MailRecipientsTable
  mail_alerts: MailAlertsTable
}

/** The outbox. What a mail says is put into words when it is sent. */
interface MailsTable {
  id: Generated<number>
  /** The same at each attempt, so that a mailbox recognises a second copy. */
  message_id: string
  kind: 'digest' | 'try' | 'welcome' | 'invitation' | 'request' | 'alert'
  /** The recipient; null: an invitation, which knows its own address. */
  person_id: number | null
  /** As JSON. */
  payload: string
  /** Unique: what it is about, if it must not be mailed twice. */
  once: string | null
  created_at: number
  ended_at: number | null
  /** Null while it waits. */
  outcome: 'sent' | 'dropped' | 'failed' | null
  /** What the mail server said last, or why it was dropped. */
  error: string | null
  error_at: number | null
}

interface MailRecipientsTable {
  person_id: number
  /** The one that their browser last asked for, for people who have not chosen one. */
  language: Locale | null
  /** Null: off. */
  digest: 'daily' | 'weekly' | null
  /** The end of the last digest. */
  digest_since: number | null
  /** The day of the last digest, also if there was nothing to send. In days since 1970. */
  digest_day: number | null
}

/** What is wrong now and has been mailed to the admins. */
interface MailAlertsTable {
  name: string
  since: number
}
