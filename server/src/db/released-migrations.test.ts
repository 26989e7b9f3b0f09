import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { migrations } from './migrate.ts'

/**
 * The migrations that releases have, with the SHA-256 of their files. A line is added with each release and never changed:
 * databases that ran a migration would keep the old schema. Write a new migration instead.
 */
const released = {
  '0001-initial': 'f1657f85dff45460b562098b3bdef08c8573cd9969428bb98607e0c15b0ffe87',
}

/** The schema of 0.1.0 on SQLite: it also depends on `engine.ts`. */
const SCHEMA_OF_0_1_0 = '638d4a99ef6ab35144f4aadf3299a82a759bd6a5878968f700d553adeaa28e0a'

const folder = fileURLToPath(new URL('./migrations/', import.meta.url))

test.each(Object.entries(released))('the migration %s is as it was released', (name, hash) => {
  expect(Object.keys(migrations)).toContain(name)
  const files = globSync([`${name}.ts`, `${name}/*.ts`], { cwd: folder }).sort()
  const sum = createHash('sha256')
  for (const file of files)
    sum
      .update(`${file}\0`)
      .update(readFileSync(folder + file))
      .update('\0')
  expect(sum.digest('hex'), `${files.join(', ')} must not be edited: write a new migration`).toBe(hash)
})

test('the first migration makes the schema of 0.1.0', async () => {
  const { open, rows } = await emptyDatabase('sqlite')
  await (await open({ schemaUpTo: '0001-initial' })).close()
  const schema = await rows('select type, name, tbl_name, sql from sqlite_master order by type, name')
  expect(createHash('sha256').update(JSON.stringify(schema)).digest('hex')).toBe(SCHEMA_OF_0_1_0)
})
