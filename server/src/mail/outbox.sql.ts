import { mail as limits } from '#contract/limits.ts'
import type { Handle, MailRow, Tx } from '../db/schema.ts'

export type NewMail = Pick<MailRow, 'kind' | 'person_id' | 'payload' | 'once' | 'message_id' | 'created_at'>

/** Undefined if what it is about was mailed already. */
export async function insertMail(tx: Tx, mail: NewMail): Promise<number | undefined> {
  const row = await tx
    .insertInto('mails')
    .values(mail)
    .onConflict(conflict => conflict.column('once').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Undefined if it was sent, or is not to be sent any more. */
export async function findWaitingMail(handle: Handle, id: number): Promise<MailRow | undefined> {
  return handle.selectFrom('mails').selectAll().where('id', '=', id).where('outcome', 'is', null).executeTakeFirst()
}

export async function markMailSent(handle: Handle, id: number, at: number): Promise<void> {
  await handle.updateTable('mails').set({ outcome: 'sent', ended_at: at }).where('id', '=', id).execute()
}

/** It will not be sent. */
export async function markMailDropped(handle: Handle, id: number, why: string, at: number): Promise<void> {
  await handle
    .updateTable('mails')
    .set({ outcome: 'dropped', ended_at: at, error: why })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

export async function markMailFailed(handle: Handle, id: number, at: number): Promise<void> {
  await handle
    .updateTable('mails')
    .set({ outcome: 'failed', ended_at: at })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

export async function recordMailError(handle: Handle, id: number, error: string, at: number): Promise<void> {
  await handle.updateTable('mails').set({ error, error_at: at }).where('id', '=', id).execute()
}

/** Those of all recipients without `personId`. */
export async function countMails(
  tx: Tx,
  { personId, kind, since }: { personId?: number; kind: MailRow['kind']; since: number },
): Promise<number> {
  const row = await tx
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .$if(personId !== undefined, query => query.where('person_id', '=', personId ?? 0))
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return row.count
}

/** What admins see of the outbox. */
export async function readMailStatus(handle: Handle) {
  const [counts, error] = await Promise.all([
    handle
      .selectFrom('mails')
      .select(({ fn, eb }) => [
        fn.countAll<number>().filterWhere('outcome', 'is', null).as('waiting'),
        fn.max(eb.case().when('outcome', '=', 'sent').then(eb.ref('ended_at')).end()).as('last_sent'),
      ])
      .executeTakeFirstOrThrow(),
    handle
      .selectFrom('mails')
      .select(['error', 'error_at', 'outcome'])
      .where('error_at', 'is not', null)
      .orderBy('error_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return { ...counts, error }
}

export async function removeOldMails(handle: Handle, now: number): Promise<void> {
  await handle
    .deleteFrom('mails')
    .where('ended_at', '<', now - limits.remembered)
    .execute()
}
