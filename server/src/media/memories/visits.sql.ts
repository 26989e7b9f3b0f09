import type { Database } from '../../db/database.ts'
import type { Handle, Tx } from '../../db/schema.ts'

export interface Visit {
  seen_at: number | null
  new_since: number | null
}

function visitOf(handle: Handle, personId: number) {
  return handle.selectFrom('visits').select(['seen_at', 'new_since']).where('person_id', '=', personId)
}

export async function findVisit(handle: Handle, personId: number): Promise<Visit | undefined> {
  return visitOf(handle, personId).executeTakeFirst()
}

/** Locked until the transaction ends. */
export async function lockVisit(db: Database, tx: Tx, personId: number): Promise<Visit | undefined> {
  return db.forUpdate(visitOf(tx, personId)).executeTakeFirst()
}

export async function upsertVisit(tx: Tx, personId: number, change: Partial<Visit>): Promise<void> {
  await tx
    .insertInto('visits')
    .values({ person_id: personId, ...change })
    .onConflict(conflict => conflict.column('person_id').doUpdateSet(change))
    .execute()
}

/** What others add from now on is new to the person, whatever device they sign in with. */
export async function endVisit(tx: Tx, personId: number, now: number): Promise<void> {
  await upsertVisit(tx, personId, { seen_at: null, new_since: now })
}

export interface NewFor {
  personId: number
  /** Epoch milliseconds. */
  since: number
}

/** What others have added since. A query of its own, so that it uses the index of upload times, not that of the order. */
export function idsOfNewFiles(db: Database, { personId, since }: NewFor) {
  return db.query
    .selectFrom('media')
    .select('media.id')
    .where('media.deleted_at', 'is', null)
    .where('media.uploaded_at', '>', since)
    .where('media.uploaded_by', '<>', personId)
}
