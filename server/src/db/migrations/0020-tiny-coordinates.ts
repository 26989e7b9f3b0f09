import { type Kysely, sql } from 'kysely'

const columns = {
  media: ['latitude', 'longitude'],
  place_corrections: [
    'latitude',
    'longitude',
    'camera_latitude',
    'camera_longitude',
    'previous_latitude',
    'previous_longitude',
  ],
}

/** Less than a centimetre from zero is zero: Postgres cannot project the smallest numbers onto the map. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, names] of Object.entries(columns)) {
    for (const name of names) {
      const column = sql.ref(name)
      await sql`update ${sql.table(table)} set ${column} = 0
        where ${column} > -5e-8 and ${column} < 5e-8 and ${column} <> 0`.execute(db)
    }
  }
}
