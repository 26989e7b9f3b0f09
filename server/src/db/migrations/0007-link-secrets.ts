import type { Kysely } from 'kysely'

/** Links and invitations that can be shown again, and links that were made by one tap in the viewer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('links').addColumn('encrypted_token', 'text').execute()
  await db.schema
    .alterTable('links')
    .addColumn('quick', 'bigint', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('invitations').addColumn('encrypted_token', 'text').execute()
}
