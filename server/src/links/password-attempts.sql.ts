import { sql } from 'kysely'
import type { Handle, Tx } from '../db/schema.ts'

/** Wrong passwords under one key, kept in the table of rate limits. */
export interface Failures {
  key: string
  hits: number
  /** The last minute in which they count: `time_window` of their row. */
  forgottenAfter: number
}

export function selectFailures(tx: Tx, keys: readonly string[], minute: number): Promise<Failures[]> {
  return tx
    .selectFrom('rate_limits')
    .select(['key', 'hits', 'time_window as forgottenAfter'])
    .where('key', 'in', [...keys])
    .where('time_window', '>=', minute)
    .execute()
}

export async function insertFailures(tx: Tx, failures: readonly Failures[], minute: number): Promise<void> {
  await tx.deleteFrom('rate_limits').where('time_window', '<', minute).execute()
  await tx
    .insertInto('rate_limits')
    .values(failures.map(({ key, hits, forgottenAfter }) => ({ key, hits, time_window: forgottenAfter })))
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({ hits: sql`excluded.hits`, time_window: sql`excluded.time_window` }),
    )
    .execute()
}

/** Takes one failure back, and its time if no other followed. */
export async function removeFailure(query: Handle, added: Failures, before: Failures | undefined): Promise<void> {
  const { forgottenAfter } = before ?? added
  await query
    .updateTable('rate_limits')
    .set({
      hits: sql`hits - 1`,
      time_window: sql`case when hits = ${added.hits} then ${forgottenAfter} else time_window end`,
    })
    .where('key', '=', added.key)
    .execute()
  await query.deleteFrom('rate_limits').where('key', '=', added.key).where('hits', '<=', 0).execute()
}

export async function deleteFailures(query: Handle, key: string): Promise<void> {
  await query.deleteFrom('rate_limits').where('key', '=', key).execute()
}
