import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/empty-database.ts'
import { startProgram } from '../../../test/program.ts'

test('a server that is killed again and again loses nothing that it said was kept', { timeout: 120_000 }, async () => {
  const { dataFolder, open } = await emptyDatabase('sqlite')
  const promised: string[] = []
  for (let round = 1; round <= 5; round++) {
    const server = startProgram('commit-forever', dataFolder, String(round))
    for (let commits = 0; commits < round * 7; commits++) promised.push((await server.line()) ?? 'ended by itself')
    promised.push(...(await server.kill()))
  }
  const db = await open()
  const kept = new Set((await db.query.selectFrom('settings').select('name').execute()).map(({ name }) => name))
  expect(promised.length).toBeGreaterThan(100)
  expect(promised.filter(name => !kept.has(name))).toEqual([])
})
