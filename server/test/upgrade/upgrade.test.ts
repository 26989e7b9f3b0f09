import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { openForRestore } from '#server/cli/backup/backup-folder.ts'
import { readDump } from '#server/cli/backup/database-dump.ts'
import { finishRestore, loadDump } from '#server/cli/restore/load-dump.sql.ts'
import { restore } from '#server/cli/restore/restore.ts'
import type { Config } from '#server/config.ts'
import { connect } from '#server/db/database.ts'
import { openSnapshot, quoted } from '#server/db/snapshot.sql.ts'
import { hashFile } from '#server/processing/hash.ts'
import { commandContext, emptyMachine, rowsOf } from '../cli-tools.ts'
import { engines, startLibrary } from '../library.ts'
import { ask, keptFolder, readKept } from './kept-library.ts'

vi.setConfig({ testTimeout: 240_000 })

const version = '0.1.0'
const backup = join(keptFolder(version), 'backup')

/** Columns of 0.1.0 whose values a later migration has changed on purpose, by table. They have tests of their own. */
// Migration 0004: searches find the names of guests.
const changedSince: Record<string, string[]> = { media_search_texts: ['search_text'] }

type Machine = Pick<Config, 'dataFolder' | 'databaseUrl'>

/** Each version says notifications in its own words; what they are about stays. */
function withoutWords(answer: unknown): unknown {
  const words = ['title', 'title_key', 'title_values', 'message', 'message_key', 'message_values']
  if (!Array.isArray(answer) || !answer.every(item => 'message_key' in Object(item))) return answer
  return answer.map(item => Object.fromEntries(Object.entries(item).filter(([name]) => !words.includes(name))))
}

describe.each(engines)('a library of 0.1.0 on %s', engine => {
  test('is upgraded with every row, every file and what the API answers', async () => {
    const kept = await readKept(version)
    const library = await startLibrary({
      engine,
      at: kept.madeAt,
      async from(machine) {
        await loadAsReleased(machine)
        // As the first start of a newer version does.
        await (await connect({ url: machine.databaseUrl, dataFolder: machine.dataFolder })).close()
        await expectEveryRow(machine)
      },
    })
    try {
      await expectEveryOriginal(library.config)
      const answers = await ask(library, kept, Object.keys(kept.answers))
      for (const [question, answer] of Object.entries(kept.answers)) {
        expect(answers[question], question).toMatchObject(withoutWords(answer) as object)
      }
    } finally {
      await library.close()
    }
  })

  test('is restored from its backup with every row and every file', async () => {
    const config = await emptyMachine(engine)
    const report = await restore(commandContext(config), { folder: backup, snapshot: undefined })
    expect(report).toMatchObject({ problems: [], toPrepare: 0 })
    await expectEveryRow(config)
    await expectEveryOriginal(config)
  })
})

async function snapshot() {
  const folder = await openForRestore(backup)
  const [name = ''] = await folder.snapshots()
  return { name, paths: folder.pathsOf(name), manifest: await folder.manifestOf(name) }
}

/** The database and the files as the release left them. */
async function loadAsReleased({ databaseUrl, dataFolder }: Machine): Promise<void> {
  const { name, paths, manifest } = await snapshot()
  const last = manifest.schema.at(-1) ?? ''
  const db = await connect({ url: databaseUrl, dataFolder, schemaUpTo: last })
  try {
    await loadDump(db, { name, rows: manifest.rows }, () => readDump(paths.database))
    await finishRestore(db)
  } finally {
    await db.close()
  }
  await cp(join(backup, 'files'), join(dataFolder, 'files'), { recursive: true })
}

async function expectEveryRow(machine: Machine): Promise<void> {
  const { paths, manifest } = await snapshot()
  expect(Object.values(manifest.rows).filter(rows => rows > 0).length).toBeGreaterThan(30)
  const expected = new Map<string, { columns: string[]; rows: string[] }>()
  for await (const { table, rows } of readDump(paths.database)) {
    const kept = table.columns.filter(column => !changedSince[table.name]?.includes(column))
    const before = expected.get(table.name) ?? { columns: kept, rows: [] }
    const values = rows.map(row => kept.map(column => row[table.columns.indexOf(column)]))
    expected.set(table.name, { ...before, rows: [...before.rows, ...values.map(row => JSON.stringify(row))] })
  }
  const database = await openSnapshot(machine)
  try {
    for (const [name, { columns, rows }] of expected) {
      const found: string[] = []
      for await (const batch of database.read(`select ${columns.map(quoted).join()} from ${quoted(name)}`)) {
        found.push(...batch.map(row => JSON.stringify(row)))
      }
      expect(found.sort(), name).toEqual(rows.sort())
    }
  } finally {
    await database.close()
  }
}

async function expectEveryOriginal(config: Config): Promise<void> {
  const originals = await rowsOf(
    config,
    `select hash, key from media join media_parts on media_id = id where kind = 'original' order by key`,
  )
  expect(originals.length).toBeGreaterThan(10)
  for (const { hash, key } of originals) {
    // That of a guest's file that waits has the guest's number after it.
    expect(await hashFile(join(config.dataFolder, 'files', String(key))), String(key)).toBe(String(hash).slice(0, 64))
  }
  const counts = await rowsOf(config, 'select sum(files) as files from media_day_counts')
  const shown = await rowsOf(config, 'select count(*) as files from media where deleted_at is null')
  expect(Number(counts[0]?.files)).toBe(Number(shown[0]?.files))
}
