import { randomUUID } from 'node:crypto'
import { DAY, mail as limits } from '#contract/limits.ts'
import type { Locale } from '#messages/locales.ts'
import type { Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { countMails, insertMail, type NewMail } from './outbox.sql.ts'
import { upsertLanguage } from './recipients.sql.ts'
import type { MailSettings } from './settings.ts'

/** Retried for about a day. */
export const sendMail = defineJob<{ mailId: number }>('mail.send', { lane: 'mail', attempts: 30 })

/** What each kind of mail is about. */
export interface Payloads {
  /** Epoch milliseconds. */
  digest: { since: number; until: number }
  try: { since: number; until: number }
  welcome: null
  invitation: { invitationId: number; language: Locale }
  request: { personId: number }
  alert: { problems: Problem[] }
}

/** What admins should do something about. */
export type Problem =
  | { kind: 'backup'; at: number | null }
  | { kind: 'disk'; free: number; total: number }
  | { kind: 'damaged'; count: number; names: string[] }

export interface OutboxDeps {
  queue: Pick<Queue, 'enqueue'>
  clock: Clock
  settings: MailSettings | undefined
}

export type Outbox = ReturnType<typeof createOutbox>

/** Mails are added in the transaction of what they are about. Without a mail server nothing is added. */
export function createOutbox({ queue, clock, settings }: OutboxDeps) {
  async function add<Kind extends keyof Payloads>(
    tx: Tx,
    kind: Kind,
    payload: Payloads[Kind],
    { to, once = null }: { to: number | null; once?: string | null },
  ): Promise<void> {
    if (!settings) return
    const domain = settings.from.address.split('@')[1]
    const mail: NewMail = {
      ...{ kind, person_id: to, payload: JSON.stringify(payload), once, created_at: clock() },
      message_id: `<${randomUUID()}@${domain}>`,
    }
    const mailId = await insertMail(tx, mail)
    if (mailId === undefined) return
    // Those that a person tries take turns with all others.
    const owner = kind === 'try' && to !== null ? { ownerId: to } : {}
    await queue.enqueue(tx, sendMail, { mailId }, { uniqueKey: `${sendMail.name}:${mailId}`, ...owner })
  }

  return {
    add,
    isConfigured: settings !== undefined,

    /** "You now have access": for people who had to wait for it. */
    welcome: (tx: Tx, personId: number) => add(tx, 'welcome', null, { to: personId }),

    /** Once for each person who asks and each admin, however often they try to sign in. */
    async accessRequested(tx: Tx, personId: number, adminIds: readonly number[]): Promise<void> {
      for (const to of adminIds) {
        const count = await countMails(tx, { personId: to, kind: 'request', since: clock() - DAY })
        if (count >= limits.requestsPerDay) continue
        await add(tx, 'request', { personId }, { to, once: `request:${personId}:${to}` })
      }
    },

    /** The language of mails to people who have not chosen one. */
    recordLanguage: (tx: Tx, personId: number, language: Locale) => upsertLanguage(tx, personId, language),
  }
}
