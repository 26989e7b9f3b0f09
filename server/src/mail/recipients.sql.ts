import type { Locale } from '#messages/locales.ts'
import type { Handle, Tx } from '../db/schema.ts'

export type DigestPeriod = 'daily' | 'weekly'

/** The approved person who is to get a mail, as of now. */
export async function findRecipient(handle: Handle, personId: number) {
  return handle
    .selectFrom('people')
    .leftJoin('mail_recipients', 'mail_recipients.person_id', 'people.id')
    .select(['people.id', 'people.email', 'people.role', 'mail_recipients.digest'])
    .select(({ fn }) => fn.coalesce('people.language', 'mail_recipients.language').as('language'))
    .where('people.id', '=', personId)
    .where('people.status', '=', 'approved')
    .executeTakeFirst()
}

export type Recipient = NonNullable<Awaited<ReturnType<typeof findRecipient>>>

/** For people who have not chosen a language. */
export async function upsertLanguage(tx: Tx, personId: number, language: Locale): Promise<void> {
  await tx
    .insertInto('mail_recipients')
    .values({ person_id: personId, language })
    .onConflict(conflict => conflict.column('person_id').doUpdateSet({ language }))
    .execute()
}

/** `at`: what is new from then on. Somebody who got digests before misses nothing. */
export async function upsertDigest(
  tx: Tx,
  personId: number,
  digest: DigestPeriod,
  { at, day }: { at: number; day: number },
): Promise<void> {
  const begin = { digest_since: at, digest_day: day }
  await tx
    .insertInto('mail_recipients')
    .values({ person_id: personId, digest, ...begin })
    .onConflict(conflict =>
      conflict.column('person_id').doUpdateSet(eb => ({
        digest,
        digest_since: eb.fn.coalesce('mail_recipients.digest_since', eb.val(at)),
        digest_day: eb.fn.coalesce('mail_recipients.digest_day', eb.val(day)),
      })),
    )
    .execute()
}

/** Does nothing for people who get none. */
export async function endDigest(handle: Handle, personId: number): Promise<void> {
  await handle
    .updateTable('mail_recipients')
    .set({ digest: null, digest_since: null, digest_day: null })
    .where('person_id', '=', personId)
    .where('digest', 'is not', null)
    .execute()
}

/** Approved people who have had no digest on this day. */
export async function peopleWithDigest(handle: Handle, today: number) {
  return handle
    .selectFrom('mail_recipients')
    .innerJoin('people', 'people.id', 'mail_recipients.person_id')
    .select(['people.id', 'digest', 'digest_since', 'digest_day'])
    .where('people.status', '=', 'approved')
    .where('digest', 'is not', null)
    .where('digest_day', '<', today)
    .orderBy('people.id')
    .execute()
}

/** The next digest begins at `until`. False if another server has done so, or the person has switched it off. */
export async function claimDigest(
  tx: Tx,
  personId: number,
  { today, until }: { today: number; until: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('mail_recipients')
    .set({ digest_day: today, digest_since: until })
    .where('person_id', '=', personId)
    .where('digest', 'is not', null)
    .where('digest_day', '<', today)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
