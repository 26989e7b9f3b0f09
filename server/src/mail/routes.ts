import type { FastifyInstance } from 'fastify'
import { DAY, HOUR, mail as limits, rateLimits } from '#contract/limits.ts'
import {
  changeMyMail,
  type MailStatus,
  type MyMail,
  mailInvitation,
  mailStatus,
  myMail,
  tryMail,
} from '#contract/mail.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { localeOf } from '../kit/messages.ts'
import { type RateLimiter, tooManyRequests } from '../kit/rate-limiter.ts'
import { serve } from '../kit/serve.ts'
import { type InvitationLinkDeps, invitationLink } from '../people/public.ts'
import { dayNumber, localDay } from './digest.ts'
import { countMails, readMailStatus } from './outbox.sql.ts'
import type { Outbox } from './outbox.ts'
import { endDigest, findRecipient, upsertDigest } from './recipients.sql.ts'
import type { MailSettings } from './settings.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

export interface MailRouteDeps extends InvitationLinkDeps {
  db: Database
  clock: Clock
  limiter: RateLimiter
  outbox: Outbox
  config: { title: string; homeTimeZone: string; mail: MailSettings | undefined }
}

export async function mailRoutes(app: FastifyInstance, deps: MailRouteDeps): Promise<void> {
  const { db, clock, limiter, outbox, config } = deps

  function requireMail(): void {
    if (!outbox.isConfigured) throw new AppError('conflict', 'mail.notConfigured')
  }

  /** All mails wait in one line, and providers take few in a day. */
  async function requireFewer(tx: Tx, max: number, of: { kind: 'try' | 'invitation'; personId?: number }) {
    if ((await countMails(tx, { ...of, since: clock() - DAY })) >= max) throw tooManyRequests(HOUR / 1_000)
  }

  async function read(personId: number): Promise<MyMail> {
    const recipient = await findRecipient(db.query, personId)
    if (!recipient) throw new AppError('not_signed_in', 'auth.signIn')
    return { available: outbox.isConfigured, address: recipient.email, digest: recipient.digest ?? 'off' }
  }

  serve(app, myMail, ({ caller }) => read(caller.id))

  serve(app, changeMyMail, async ({ caller, body: { digest }, request }) => {
    requireMail()
    const at = clock()
    const day = dayNumber(localDay(config.homeTimeZone, at))
    await db.transaction(async tx => {
      if (digest === 'off') return endDigest(tx, caller.id)
      await upsertDigest(tx, caller.id, digest, { at, day })
      await outbox.recordLanguage(tx, caller.id, localeOf(request))
    })
    return read(caller.id)
  })

  serve(app, tryMail, async ({ caller, request }) => {
    requireMail()
    await limiter.hit(`mail:account:${caller.id}`, rateLimits.mailsAsked)
    const until = clock()
    await db.transaction(async tx => {
      await requireFewer(tx, limits.testsPerDay, { kind: 'try', personId: caller.id })
      await outbox.recordLanguage(tx, caller.id, localeOf(request))
      await outbox.add(tx, 'try', { since: until - 7 * DAY, until }, { to: caller.id })
    })
  })

  serve(app, mailStatus, async (): Promise<MailStatus> => {
    const { waiting, last_sent, error } = await readMailStatus(db.query)
    return {
      configured: outbox.isConfigured,
      from: config.mail?.from.address ?? null,
      waiting,
      last_sent: last_sent === null ? null : toIso(last_sent),
      last_error:
        error?.error_at == null
          ? null
          : { at: toIso(error.error_at), text: error.error ?? '', outcome: outcomes[error.outcome ?? 'waiting'] },
    }
  })

  serve(app, mailInvitation, async ({ caller, params: { id }, body: { language } }) => {
    requireMail()
    await limiter.hit(`mail:account:${caller.id}`, rateLimits.mailsAsked)
    await db.transaction(async tx => {
      const { invitation } = await invitationLink(deps, tx, id)
      if (invitation.email === null) throw new AppError('conflict', 'mail.noAddress')
      await requireFewer(tx, limits.invitationsPerDay, { kind: 'invitation' })
      const subject = { type: 'invitation', id }
      const before = { name: invitation.email }
      await recordAudit(tx, [{ at: clock(), actorId: caller.id, act: 'invitation.mail', subject, before }])
      await outbox.add(tx, 'invitation', { invitationId: id, language }, { to: null })
    })
  })

  await unsubscribeRoutes(app, deps)
}

const outcomes = { waiting: 'waiting', sent: 'sent', failed: 'failed', dropped: 'failed' } as const
