import { type Kysely, sql } from 'kysely'

const columns = [
  ['links', 'inbox_album_id', 'upload_album_id'],
  ['links', 'most_files', 'max_files'],
  ['links', 'most_bytes', 'max_bytes'],
  ['guest_uploads', 'begun_at', 'started_at'],
  ['guest_uploads', 'held_id', 'duplicate_id'],
] as const

const actions = [
  ['guests.refuse', 'guests.reject'],
  ['album.put-back', 'album.restore-files'],
  ['person.invite-to-ask', 'person.invite-for-approval'],
] as const

/** Columns, states and actions get the names that other projects use for the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, from, to] of columns) await db.schema.alterTable(table).renameColumn(from, to).execute()
  await renameIndex(db, { from: 'links_inbox_album_id_idx', table: 'links', column: 'upload_album_id' })
  await renameIndex(db, { from: 'guest_uploads_held_id_idx', table: 'guest_uploads', column: 'duplicate_id' })
  await sql`update guest_uploads set state = 'rejected' where state = 'refused'`.execute(db)
  for (const [from, to] of actions) {
    await sql`update audit_log set action = ${to} where action = ${from}`.execute(db)
  }
}

/** SQLite cannot rename an index. */
async function renameIndex(
  db: Kysely<unknown>,
  { from, table, column }: { from: string; table: string; column: string },
): Promise<void> {
  await db.schema.dropIndex(from).execute()
  const index = db.schema.createIndex(`${table}_${column}_idx`).on(table).column(column)
  await index.where(sql.ref(column), 'is not', null).execute()
}
