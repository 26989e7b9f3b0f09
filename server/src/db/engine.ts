import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Schema, Tx } from './schema.ts'

export type Engine = 'sqlite' | 'postgres'

/** The differences between the two engines. */
export interface EngineTools {
  engine: Engine
  /** A primary key whose values are never reused. */
  withId<Table extends string, Columns extends string>(
    table: CreateTableBuilder<Table, Columns>,
  ): CreateTableBuilder<Table, Columns | 'id'>
  /** Text that sorts by code point on both engines. */
  binaryCollation(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** Serialises transactions that check and then change the same subject. Released at the end of the transaction. */
  advisoryLock(tx: Tx, subject: string): Promise<void>
  /** Locks rows for this transaction and skips those that another one has locked. */
  skipLocked<Table extends keyof Schema, Row>(
    query: SelectQueryBuilder<Schema, Table, Row>,
  ): SelectQueryBuilder<Schema, Table, Row>
  /** Locks rows for this transaction, waiting for others that hold them. */
  forUpdate<Table extends keyof Schema, Row>(
    query: SelectQueryBuilder<Schema, Table, Row>,
  ): SelectQueryBuilder<Schema, Table, Row>
  /** Shared lock: rows stay unchanged until this transaction ends; several transactions can hold it. */
  forShare<Table extends keyof Schema, Row>(
    query: SelectQueryBuilder<Schema, Table, Row>,
  ): SelectQueryBuilder<Schema, Table, Row>
  /** A condition for queries that may scan all rows, by which SQLite can interrupt them; Postgres needs none. */
  interruptible<Table extends keyof Schema, Row>(
    query: SelectQueryBuilder<Schema, Table, Row>,
  ): SelectQueryBuilder<Schema, Table, Row>
  /** Indexes a text column for substring search. `key` is the integer primary key of the table. */
  addTrigramIndex<DB>(db: Kysely<DB>, table: string, column: string, key?: string): Promise<void>
  /** Whether the trigram index can find this text; otherwise all rows are scanned. */
  isIndexable(letters: string): boolean
  /** The keys of the rows of `table` whose `column` contains all these words; both sides must be normalised. */
  keysContaining(table: string, column: string, key: string, ...words: string[]): RawBuilder<number>
  /** Whether an id is among a few thousand that a query finds; each is then looked up by its index. */
  isAmongFew(id: Expression<number>, found: RawBuilder<number>): Expression<SqlBool>
  /** Whether an id is among many that any of the queries finds; the rows are still read in the order of their list. */
  isAmongMany(id: Expression<number>, found: readonly RawBuilder<number>[]): Expression<SqlBool>
  /** Whether a single text contains the letters; both sides must be normalised. */
  contains(text: Expression<string>, letters: string): Expression<SqlBool>
  /** The text with every digit replaced by 0: grouped in `search_text_shapes` and indexed in `media_search_texts`. */
  maskDigits(text: Expression<string>): RawBuilder<string>
  /** The index key of a masked text. */
  shapeKey(masked: Expression<string>): RawBuilder<string>
  /** 1 to 12, of a time in milliseconds. */
  monthOf(time: Expression<number>): RawBuilder<number>
}

/** Trigram indexes cannot find shorter searches ("東京"); those scan the table. */
const TRIGRAM = 3

function isIndexable(letters: string): boolean {
  return [...letters].length >= TRIGRAM
}

/** The digits that are replaced by 0. */
const DIGITS = '123456789'

export function engineTools(engine: Engine): EngineTools {
  return engine === 'sqlite' ? sqliteTools : postgresTools
}

/** A function of `sqlite/worker.ts`, called for each row. */
const notInterrupted = sql<SqlBool>`not_interrupted()`

const sqliteTools: EngineTools = {
  engine: 'sqlite',
  withId: table => table.addColumn('id', 'integer', column => column.primaryKey().autoIncrement()),
  binaryCollation: column => column,
  // SQLite has a single writer, so transactions never run concurrently.
  advisoryLock: async () => {},
  skipLocked: query => query,
  forUpdate: query => query,
  forShare: query => query,
  interruptible: query => query.where(notInterrupted),
  async addTrigramIndex(db, table, column, key = 'id') {
    const [index, t, c, k] = [sql.id(`${table}_${column}_trigrams`), sql.id(table), sql.id(column), sql.id(key)]
    const remove = sql`insert into ${index} (${index}, rowid, ${c}) values ('delete', old.${k}, old.${c})`
    const add = sql`insert into ${index} (rowid, ${c}) values (new.${k}, new.${c})`
    const trigger = (event: string) => sql.id(`${table}_${column}_${event}`)
    await sql`create virtual table ${index} using fts5(${c}, content=${sql.lit(table)}, content_rowid=${sql.lit(key)}, tokenize='trigram case_sensitive 1')`.execute(
      db,
    )
    await sql`insert into ${index} (${index}) values ('rebuild')`.execute(db)
    await sql`create trigger ${trigger('after_insert')} after insert on ${t} begin ${add}; end`.execute(db)
    await sql`create trigger ${trigger('after_delete')} after delete on ${t} begin ${remove}; end`.execute(db)
    await sql`create trigger ${trigger('after_update')} after update of ${c} on ${t} when old.${c} <> new.${c} begin ${remove}; ${add}; end`.execute(
      db,
    )
  },
  isIndexable,
  keysContaining(table, column, key, ...words) {
    const index = sql.id(`${table}_${column}_trigrams`)
    const indexed = words.filter(isIndexable).map(letters => `"${letters.replaceAll('"', '""')}"`)
    const found = sql<number>`select rowid as ${sql.id(key)} from ${index} where ${index} match ${indexed.join(' AND ')}`
    if (indexed.length === words.length) return found
    const conditions = words.filter(word => !isIndexable(word)).map(word => sqliteTools.contains(sql.ref(column), word))
    conditions.push(notInterrupted)
    if (indexed.length > 0) conditions.push(sql`${sql.ref(key)} in (${found})`)
    return sql`select ${sql.ref(key)} from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  },
  isAmongFew: (id, found) => sql<SqlBool>`${id} in (${found})`,
  // With the plus sign SQLite does not look up all of the ids first and sort the rows afterwards. Not a union, which it
  // would sort.
  isAmongMany(id, found) {
    const among = found.map(ids => sql`+${id} in (${ids})`)
    return sql<SqlBool>`(${sql.join(among, sql` or `)})`
  },
  contains: (text, letters) => sql<SqlBool>`instr(${text}, ${letters}) > 0`,
  maskDigits: text => {
    const masked = (inner: Expression<string>, digit: string) => sql<string>`replace(${inner}, ${sql.lit(digit)}, '0')`
    return [...DIGITS].reduce<RawBuilder<string>>(masked, sql<string>`${text}`)
  },
  shapeKey: masked => sql<string>`${masked}`,
  monthOf: time => sql<number>`cast(strftime('%m', ${time} / 1000.0, 'unixepoch') as integer)`,
}

const postgresTools: EngineTools = {
  engine: 'postgres',
  withId: table => table.addColumn('id', 'bigint', column => column.primaryKey().generatedByDefaultAsIdentity()),
  binaryCollation: column => column.modifyEnd(sql`collate "C"`),
  advisoryLock: async (tx, subject) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(tx)
  },
  skipLocked: query => query.forUpdate().skipLocked(),
  forUpdate: query => query.forUpdate(),
  forShare: query => query.forShare(),
  interruptible: query => query,
  async addTrigramIndex(db, table, column) {
    await sql`create extension if not exists pg_trgm`.execute(db)
    const index = sql.id(`${table}_${column}_trigrams`)
    await sql`create index ${index} on ${sql.id(table)} using gin (${sql.id(column)} gin_trgm_ops)`.execute(db)
  },
  isIndexable,
  keysContaining(table, column, key, ...words) {
    const conditions = words.map(word => postgresTools.contains(sql.ref(column), word))
    return sql`select ${sql.ref(key)} from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  },
  // As an array, because `in` is a join: Postgres expects far more rows of a recursive query and would read all files.
  isAmongFew: (id, found) => sql<SqlBool>`${id} = any(array(${found}))`,
  // As one query, because it can be joined. Postgres would run each of several again for every row if they find too much
  // for its memory.
  isAmongMany: (id, found) => sql<SqlBool>`${id} in (${sql.join(found, sql` union `)})`,
  contains(text, letters) {
    if (!isIndexable(letters)) return sql<SqlBool>`strpos(${text}, ${letters}) > 0`
    const pattern = `%${letters.replace(/[\\%_]/g, '\\$&')}%`
    return sql<SqlBool>`${text} like ${pattern}`
  },
  maskDigits: text => sql<string>`translate(${text}, ${sql.lit(DIGITS)}, ${sql.lit('0'.repeat(DIGITS.length))})`,
  // Hashed, because a text can exceed the maximum size of an index entry.
  shapeKey: masked => sql<string>`md5(${masked})`,
  monthOf: time => sql<number>`extract(month from to_timestamp(${time} / 1000.0) at time zone 'UTC')`,
}
