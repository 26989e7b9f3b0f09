import { type Kysely, sql } from 'kysely'

/** Finds the activity that is too old. Lines of files that were removed for good stay, because an import asks for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('audit_log_created_at_idx')
    .on('audit_log')
    .column('created_at')
    .where(sql<boolean>`action <> 'media.purge'`)
    .execute()
  await db.schema.createIndex('changes_created_at_idx').on('changes').column('created_at').execute()
}
