import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'

export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('invitations'))
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('email', 'text')
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('auto_approve', 'integer', c => c.notNull())
    .addColumn('uses', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('created_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('invitations_created_by_idx').on('invitations').column('created_by').execute()

  await db.schema
    .alterTable('people')
    .addColumn('role_given_by', 'bigint', c => c.references('people.id'))
    .execute()
  await db.schema
    .alterTable('people')
    .addColumn('invitation_id', 'bigint', c => c.references('invitations.id'))
    .execute()
  await db.schema
    .alterTable('sign_in_attempts')
    .addColumn('invitation_id', 'bigint', c => c.references('invitations.id'))
    .execute()
}
