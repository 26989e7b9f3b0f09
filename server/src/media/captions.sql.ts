import type { Database } from '../db/database.ts'
import type { NewMedia, Tx } from '../db/schema.ts'

/** What a person wrote, or has removed, stays when the file is read again. Locks the row. */
export async function keepWrittenCaption<Change extends Partial<NewMedia>>(
  db: Database,
  tx: Tx,
  id: number,
  change: Change,
): Promise<Partial<Change>> {
  if (change.caption === undefined) return change
  const row = await db
    .forUpdate(tx.selectFrom('media').select('caption_source').where('id', '=', id))
    .executeTakeFirst()
  if (row?.caption_source !== 'person') return change
  const { caption, caption_source, ...others } = change
  return others as Partial<Change>
}
