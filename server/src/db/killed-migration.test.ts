import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { addLongMigrations, FIRST_MIGRATION, momentsOfMigration } from '../../test/extra-migrations.ts'
import { engines } from '../../test/library.ts'
import { startProgram } from '../../test/program.ts'
import { connect } from './database.ts'

describe.each(engines)('an upgrade on %s', engine => {
  test.each(momentsOfMigration)(
    'that is killed %s leaves the database as it was, and the next start upgrades it',
    {
      timeout: 120_000,
    },
    async moment => {
      const { url, dataFolder, open, rows } = await emptyDatabase(engine)
      await (await connect({ url, dataFolder, schemaUpTo: FIRST_MIGRATION })).close()
      await rows(`insert into people (issuer, subject, email, username, name, role, status, requested_at)
      values ('i', 'a', 'a', 'ada', 'Ada', 'admin', 'approved', 0), ('i', 'b', 'b', 'ben', 'Ben', 'member', 'approved', 0)`)
      const people = await rows('select * from people order by id')

      const program = startProgram('stop-in-migration', dataFolder, url ?? '', moment)
      expect(await program.line()).toBe('stopped')
      await program.kill()
      expect(await rows('select * from people order by id')).toEqual(people)
      expect(await rows('select name from schema_migrations')).toEqual([{ name: FIRST_MIGRATION }])

      onTestFinished(addLongMigrations(async () => {}))
      const upgraded = await open()
      expect(await rows('select name, nickname from people order by id')).toEqual([
        { name: 'Ada', nickname: 'Ada' },
        { name: 'Ben', nickname: 'Ben' },
      ])
      expect(await rows('select name from first_later order by name')).toEqual([{ name: 'Ada' }, { name: 'Ben' }])
      const done = await rows('select name from schema_migrations order by name')
      expect(done.slice(-2)).toEqual([{ name: '9001-first' }, { name: '9002-second' }])
      await upgraded.close()
    },
  )
})
