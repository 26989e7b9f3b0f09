import { type Kysely, sql } from 'kysely'
import { searchable } from '../../kit/searchable.ts'

interface Before {
  media: { id: number; sent_by: string | null }
  media_search_texts: { media_id: number; search_text: string }
  guests: { id: number; name: string }
  guest_uploads: { media_id: number | null; duplicate_id: number | null; guest_id: number; state: string }
}

/** The name of the guest stays with a file that a member has accepted, also after the link and its guests are removed. */
export async function up(schema: Kysely<unknown>): Promise<void> {
  await schema.schema.alterTable('media').addColumn('sent_by', 'text').execute()
  const db = schema as Kysely<Before>
  const accepted = await db
    .selectFrom('guest_uploads')
    .innerJoin('guests', 'guests.id', 'guest_uploads.guest_id')
    .select(['guest_uploads.media_id', 'guests.name'])
    .where('state', '=', 'accepted')
    .where('duplicate_id', 'is', null)
    .where('media_id', 'is not', null)
    .execute()
  for (const { media_id: id, name } of accepted) {
    if (id === null) continue
    await db.updateTable('media').set({ sent_by: name }).where('id', '=', id).execute()
    await db
      .updateTable('media_search_texts')
      .set({ search_text: sql<string>`search_text || ${`\n${searchable(name)}`}` })
      .where('media_id', '=', id)
      .execute()
  }
}
