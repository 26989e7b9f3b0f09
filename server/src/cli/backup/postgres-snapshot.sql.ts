import pg from 'pg'
import { quoted, type Snapshot, type Table, type Value } from './snapshot.ts'

const ROWS_AT_ONCE = 2_000

/** What both engines and JSON know alike. A column of another type would come back as something else. */
const PORTABLE = new Set(['text', 'character varying', 'bigint', 'integer', 'double precision'])

export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const client = new pg.Client({ connectionString: url, types })
  // A connection that breaks fails the query that runs on it; unheard, the event would end the process.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read read only')

  async function rows(query: string, values: Value[] = []): Promise<Value[][]> {
    return (await client.query<Value[]>({ text: query, values, rowMode: 'array' })).rows
  }

  async function tableNamed(name: string): Promise<Table> {
    const columns = await rows(
      `select column_name, data_type, is_identity, pg_get_serial_sequence(quote_ident(table_name), column_name)
       from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [name],
    )
    for (const [column, type] of columns) {
      if (!PORTABLE.has(String(type))) throw new Error(`A backup cannot hold ${name}.${column}, which is ${type}`)
    }
    const sequence = columns.find(([, , identity]) => identity === 'YES')?.[3]
    return {
      name,
      columns: columns.map(([column]) => String(column)),
      lastId: sequence ? await lastIdOf(String(sequence)) : null,
    }
  }

  async function lastIdOf(sequence: string): Promise<number | null> {
    // Read after the snapshot began, so it can only be higher than any id in it.
    const [last] = await rows(`select case when is_called then last_value end from ${sequence}`)
    return last?.[0] == null ? null : Number(last[0])
  }

  return {
    async tables() {
      const names = await rows(
        `select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
         and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') order by relname`,
      )
      const tables: Table[] = []
      for (const name of names.flat()) tables.push(await tableNamed(String(name)))
      return tables
    },
    async *read(query) {
      const cursor = quoted('rows')
      await client.query(`declare ${cursor} no scroll cursor for ${query}`)
      for (;;) {
        const some = await rows(`fetch ${ROWS_AT_ONCE} from ${cursor}`)
        if (some.length === 0) break
        yield some
      }
      await client.query(`close ${cursor}`)
    },
    close: () => client.end(),
  }
}
