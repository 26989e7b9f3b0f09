import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { engines } from '../../test/library.ts'
import type { Database } from './database.ts'
import { UnsupportedSchema } from './migrate.ts'
import type { NewPerson, Tx } from './schema.ts'

describe.each(engines)('a database on %s', engine => {
  test('is brought up to date once, and opens again with all it holds', async () => {
    const { open, rows } = await emptyDatabase(engine)
    const first = await open()
    await insertPerson(first, 'ada')
    const steps = await rows('select * from schema_migrations order by name')
    expect(steps.length).toBeGreaterThan(0)
    await first.close()

    const second = await open()
    expect(await second.query.selectFrom('people').select('username').execute()).toEqual([{ username: 'ada' }])
    expect(await rows('select * from schema_migrations order by name')).toEqual(steps)
  })

  test('that a newer program has written is refused in a clear line, and left as it is', async () => {
    const { open, rows } = await emptyDatabase(engine)
    await (await open()).close()
    await rows(`insert into schema_migrations (name, timestamp) values ('9999-the-future', '2099-01-01')`)
    const before = await rows('select * from schema_migrations order by name')
    const refusal = await open().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UnsupportedSchema)
    expect(String(refusal)).toMatch(/newer Heirloom \(it has the migration "9999-the-future"\).*Start that version/)
    expect(await rows('select * from schema_migrations order by name')).toEqual(before)
  })

  const unreleased = {
    'with the table of the earliest': [
      'create table schema_steps (name varchar(255) primary key, timestamp varchar(255) not null)',
      `insert into schema_steps values ('0001-foundation', '2026-01-01'), ('0002-media', '2026-01-01')`,
    ],
    'with the first migration alone': [
      'create table schema_migrations (name varchar(255) primary key, timestamp varchar(255) not null)',
      `insert into schema_migrations values ('0001-initial', '2026-11-17')`,
      'create table notes (id integer primary key)',
    ],
    'with the migrations of the last': [
      'create table schema_migrations (name varchar(255) primary key, timestamp varchar(255) not null)',
      `insert into schema_migrations values ('0001-initial', '2026-11-17'), ('0002-hearts', '2026-11-17'), ('0060-languages', '2026-11-18')`,
      'create table comments (id integer primary key)',
    ],
  }
  test.each(Object.entries(unreleased))(
    'from before 0.1.0, %s, is refused in one sentence, and left unchanged',
    async (_which, statements) => {
      const { open, rows } = await emptyDatabase(engine)
      for (const statement of statements) await rows(statement)
      await rows('create table people (id integer primary key, name text)')
      await rows(`insert into people values (1, 'Ada')`)
      const contents = async () => [
        await rows(engine === 'sqlite' ? 'select * from sqlite_master' : ALL_POSTGRES_RELATIONS),
        await rows(
          `select * from ${statements[0]?.includes('schema_steps') ? 'schema_steps' : 'schema_migrations'} order by name`,
        ),
        await rows('select * from people'),
      ]
      const before = await contents()
      const refusal = await open().catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(UnsupportedSchema)
      expect(String(refusal)).toMatch(
        /development version of Heirloom from before 0\.1\.0.*left unchanged.*empty place/,
      )
      expect(await contents()).toEqual(before)
    },
  )

  test('never gives an id a second time', async () => {
    const { open } = await emptyDatabase(engine)
    const first = await open()
    await insertPerson(first, 'ada')
    const deleted = await insertPerson(first, 'ben')
    await first.query.deleteFrom('people').where('id', '=', deleted).execute()
    await first.close()
    expect(await insertPerson(await open(), 'rose')).toBeGreaterThan(deleted)
  })

  test('keeps numbers as numbers, up to the largest', async () => {
    const { open } = await emptyDatabase(engine)
    const db = await open()
    await insertPerson(db, 'ada', { requested_at: Number.MAX_SAFE_INTEGER })
    const row = await db.query
      .selectFrom('people')
      .select(({ fn }) => ['requested_at', fn.countAll<number>().as('count'), fn.sum<number>('requested_at').as('sum')])
      .groupBy('requested_at')
      .executeTakeFirst()
    expect(row).toEqual({ requested_at: Number.MAX_SAFE_INTEGER, count: 1, sum: Number.MAX_SAFE_INTEGER })
  })

  test('sorts usernames alike, by their letters and not by a language', async () => {
    const { open } = await emptyDatabase(engine)
    const db = await open()
    for (const username of ['b', '_a', 'a.b', 'a', 'ab', 'a_b', '9', 'a2']) await insertPerson(db, username)
    const sorted = await db.query.selectFrom('people').select('username').orderBy('username').execute()
    expect(sorted.map(({ username }) => username)).toEqual(['9', '_a', 'a', 'a.b', 'a2', 'a_b', 'ab', 'b'])
  })

  test('refuses what points at nobody', async () => {
    const { open } = await emptyDatabase(engine)
    const db = await open()
    const orphan = { token_hash: 'x', person_id: 12_345, created_at: 1, last_used_at: 1 }
    await expect(db.query.insertInto('sessions').values(orphan).execute()).rejects.toThrow(/foreign key/i)
  })

  test('keeps nothing of a transaction that fails, and goes on to the next', async () => {
    const { open, rows } = await emptyDatabase(engine)
    const db = await open()
    const failing = db.transaction(async tx => {
      await tx.insertInto('people').values(person('ada')).execute()
      throw new Error('thought better of it')
    })
    await expect(failing).rejects.toThrow('thought better of it')
    const clashing = db.transaction(async tx => {
      await tx.insertInto('people').values(person('ben')).execute()
      await tx.insertInto('people').values(person('ben')).execute()
    })
    await expect(clashing).rejects.toThrow(/unique/i)
    expect(await db.transaction(tx => insertPerson(tx, 'rose'))).toBeGreaterThan(0)
    expect(await rows('select username from people')).toEqual([{ username: 'rose' }])
  })

  test('acts after a commit, in order, and not at all without one', async () => {
    const { open, rows } = await emptyDatabase(engine)
    const db = await open()
    const acts: string[] = []
    await db.transaction(async tx => {
      db.afterCommit(tx, () => acts.push('first'))
      db.afterCommit(tx, () => acts.push('second'))
      await insertPerson(tx, 'ada')
      expect(acts).toEqual([])
      expect(await rows('select id from people')).toEqual([])
    })
    expect(acts).toEqual(['first', 'second'])

    const failing = db.transaction(async tx => {
      db.afterCommit(tx, () => acts.push('never'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(acts).toEqual(['first', 'second'])
  })

  test('lets those who check and then act on one subject wait for each other', async () => {
    const { open, rows } = await emptyDatabase(engine)
    const db = await open()
    await db.query.insertInto('settings').values({ name: 'count', value: '0' }).execute()
    await Promise.all(Array.from({ length: 25 }, () => db.transaction(tx => countUp(db, tx))))
    expect(await rows(`select value from settings where name = 'count'`)).toEqual([{ value: '25' }])
  })

  test('makes large changes one after the other, and short ones in between', async () => {
    const { open } = await emptyDatabase(engine)
    const db = await open()
    const order: string[] = []
    const { promise: isNoted, resolve: noted } = Promise.withResolvers<void>()
    const change = (name: string, files: number) =>
      db.bulkTransaction(files, async tx => {
        order.push(`${name} begins`)
        // The note below is waiting for this transaction, or on Postgres is done beside it.
        if (name === 'first') noted()
        // Long enough for the others to begin, if they could.
        for (let i = 0; i < 50; i++) await sql`select 1`.execute(tx)
        order.push(`${name} ends`)
      })
    const changes = ['first', 'second', 'third'].map(name => change(name, 2_000))
    await isNoted
    const note = db.transaction(async tx => {
      await sql`select 1`.execute(tx)
      order.push('note')
    })
    await Promise.all([note, ...changes])
    const large = order.filter(line => line !== 'note')
    expect(large).toEqual(['first', 'second', 'third'].flatMap(name => [`${name} begins`, `${name} ends`]))
    if (engine === 'sqlite') expect(order.indexOf('note')).toBe(2)
    await Promise.all([change('alone', 1), change('beside it', 1)])
    expect(order).toHaveLength(11)
  })

  test('answers readers while somebody writes, with what was there before', async () => {
    const { open } = await emptyDatabase(engine)
    const db = await open()
    const people = () => db.query.selectFrom('people').select('username').execute()
    await db.transaction(async tx => {
      await insertPerson(tx, 'ada')
      expect(await people()).toEqual([])
    })
    expect(await people()).toEqual([{ username: 'ada' }])
  })

  test('answers nothing once it is closed', async () => {
    const { open } = await emptyDatabase(engine)
    const db = await open()
    await db.check()
    await db.close()
    await expect(db.check()).rejects.toThrow()
  })
})

describe('on SQLite alone', () => {
  test('a slow reader holds up nobody while another one is idle', async () => {
    const { open } = await emptyDatabase('sqlite')
    const db = await open()
    const order: string[] = []
    const numbers = sql<{ n: number }>`(with recursive up (n) as (select 1 union all select n + 1 from up limit 3000000)
      select max(n) as n from up)`
    const counting = db.query.selectFrom(numbers.as('numbers')).selectAll().execute()
    const slow = counting.then(() => order.push('slow'))
    for (let i = 0; i < 4; i++) {
      await db.query.selectFrom('people').select('id').execute()
      order.push('quick')
    }
    await slow
    expect(order).toEqual(['quick', 'quick', 'quick', 'quick', 'slow'])
  })

  test('writers take turns, so that even a careless check-then-act loses nothing', async () => {
    const { open, rows } = await emptyDatabase('sqlite')
    const db = await open()
    await db.query.insertInto('settings').values({ name: 'count', value: '0' }).execute()
    await Promise.all(Array.from({ length: 25 }, () => db.transaction(tx => countUp(undefined, tx))))
    expect(await rows(`select value from settings where name = 'count'`)).toEqual([{ value: '25' }])
  })

  test('a single write outside a transaction waits for the one that is open', async () => {
    const { open } = await emptyDatabase('sqlite')
    const db = await open()
    const order: string[] = []
    let alone: Promise<unknown> = Promise.resolve()
    await db.transaction(async tx => {
      await insertPerson(tx, 'ada')
      alone = insertPerson(db, 'ben').then(() => order.push('alone'))
      await tx.selectFrom('people').select('id').execute()
      order.push('transaction')
    })
    await alone
    expect(order).toEqual(['transaction', 'alone'])
  })

  test('the reason of a failure is reported although SQLite has rolled back by itself', async () => {
    const { open } = await emptyDatabase('sqlite')
    const db = await open()
    await insertPerson(db, 'ada')
    const failing = db.transaction(async tx => {
      await tx.insertInto('people').orRollback().values(person('ada')).execute()
    })
    await expect(failing).rejects.toThrow(/UNIQUE constraint failed/)
    expect(await insertPerson(db, 'ben')).toBeGreaterThan(0)
  })
})

describe('on Postgres alone', () => {
  test('no query is compiled, on any connection', async () => {
    const { open } = await emptyDatabase('postgres')
    const db = await open()
    const setting = sql<{
      jit: string
      later: string
    }>`select current_setting('jit') as jit, pg_sleep(0.05)::text as later`
    const answers = await Promise.all(Array.from({ length: 5 }, () => setting.execute(db.query)))
    expect(answers.map(({ rows }) => rows[0]?.jit)).toEqual(Array(5).fill('off'))
  })

  test('servers that start at the same moment bring an empty database up to date together', async () => {
    const { open, rows } = await emptyDatabase('postgres')
    await Promise.all(Array.from({ length: 4 }, open))
    const names = (await rows('select name from schema_migrations')).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  test('answers readers while many wait for one lock', async () => {
    const { open } = await emptyDatabase('postgres')
    const db = await open()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const lock = (until?: Promise<void>) =>
      db.transaction(async tx => {
        await db.advisoryLock(tx, 'one')
        await until
      })
    const waiting = [lock(released), ...Array.from({ length: 30 }, () => lock())]
    for (let i = 0; i < 5; i++) await db.check()
    release()
    await Promise.all(waiting)
  })

  test('two transactions in each other’s way both succeed, and the one that was repeated acts once', async () => {
    const { open } = await emptyDatabase('postgres')
    const db = await open()
    await db.query
      .insertInto('settings')
      .values([
        { name: 'left', value: '' },
        { name: 'right', value: '' },
      ])
      .execute()
    let bothHold = 0
    const acts: string[] = []
    let tries = 0
    const crosswise = (first: string, second: string) =>
      db.transaction(async tx => {
        tries += 1
        // The deadlock victim retries after the other has committed, so there is only one deadlock.
        if (tries > 2) await expect.poll(() => acts, { interval: 5 }).toHaveLength(1)
        db.afterCommit(tx, () => acts.push(first))
        await tx.updateTable('settings').set({ value: first }).where('name', '=', first).execute()
        bothHold += 1
        // Both lock their first row before either requests its second, which forces a deadlock; a retry does not wait.
        await expect.poll(() => bothHold, { interval: 5 }).toBeGreaterThanOrEqual(2)
        await tx.updateTable('settings').set({ value: first }).where('name', '=', second).execute()
      })
    await Promise.all([crosswise('left', 'right'), crosswise('right', 'left')])
    expect(tries).toBe(3)
    expect(acts.toSorted()).toEqual(['left', 'right'])
  })
})

const ALL_POSTGRES_RELATIONS = `select relname, relkind, relfilenode from pg_class
  where relnamespace = 'public'::regnamespace order by relname`

function person(username: string): NewPerson {
  return {
    issuer: 'test',
    subject: username,
    email: `${username}@x.example`,
    username,
    name: username,
    avatar_source: null,
    role: 'member',
    status: 'pending',
    requested_at: 1,
  }
}

async function insertPerson(handle: Database | Tx, username: string, more: Partial<NewPerson> = {}): Promise<number> {
  const into = 'query' in handle ? handle.query : handle
  const { id } = await into
    .insertInto('people')
    .values({ ...person(username), ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function countUp(db: Database | undefined, tx: Tx): Promise<void> {
  await db?.advisoryLock(tx, 'count')
  const { value } = await tx
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'count')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('settings')
    .set({ value: String(Number(value) + 1) })
    .where('name', '=', 'count')
    .execute()
}
