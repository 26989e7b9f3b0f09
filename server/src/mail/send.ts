import { mail as limits } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { type ComposeDeps, composeMail } from './compose.ts'
import { findWaitingMail, markMailDropped, markMailFailed, markMailSent, recordMailError } from './outbox.sql.ts'
import { sendMail } from './outbox.ts'
import { createPace, type Deliver, MailRefused } from './transport.ts'

interface SendDeps extends ComposeDeps {
  db: Database
  clock: Clock
}

/**
 * A mail is never lost: its job ends when the mail server has accepted it and this is recorded. If the server ends in between, it
 * is sent again with the same Message-ID.
 */
export function handleSending(queue: Queue, deps: SendDeps, deliver: Deliver): void {
  const { db, clock } = deps
  const pace = createPace(clock)

  queue.handle(sendMail, {
    async run({ mailId }, { signal }) {
      if (!(await findWaitingMail(db.query, mailId))) return
      await pace(signal)
      // Read only now: the person may have lost access, or wants no more mails.
      const row = await findWaitingMail(db.query, mailId)
      if (!row) return
      if (clock() - row.created_at > limits.tooOld) return markMailDropped(db.query, mailId, 'too old', clock())
      const composed = await composeMail(deps, row)
      if (typeof composed === 'string') return markMailDropped(db.query, mailId, composed, clock())
      signal.throwIfAborted()
      try {
        await deliver({ ...composed, messageId: row.message_id, date: new Date(row.created_at) })
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error
        await recordMailError(db.query, mailId, error.answer, clock())
        if (!error.isPermanent) throw error
        return markMailFailed(db.query, mailId, clock())
      }
      await markMailSent(db.query, mailId, clock())
    },
    onFailed: (tx, { mailId }) => markMailFailed(tx, mailId, clock()),
  })
}
