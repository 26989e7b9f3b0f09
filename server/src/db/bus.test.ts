import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { type Engine, engines } from '../../test/library.ts'
import { breakBusLines } from '../../test/postgres.ts'
import type { Database } from './database.ts'

async function ears(db: Database) {
  const heard: string[] = []
  const stop = await db.subscribe({
    onMessage: message => void heard.push(message),
    onGap: () => void heard.push('(missed some)'),
  })
  onTestFinished(stop)
  return { heard, stop }
}

async function opened(engine: Engine): Promise<Database> {
  return (await emptyDatabase(engine)).open()
}

describe.each(engines)('the bus on %s', engine => {
  test('carries what was said, in its order, once it is committed', async () => {
    const db = await opened(engine)
    const { heard } = await ears(db)
    await db.transaction(async tx => {
      await db.publish(tx, 'one')
      await db.publish(tx, 'two')
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(heard).toEqual([])
    })
    await expect.poll(() => heard).toEqual(['one', 'two'])
  })

  test('carries nothing of what was rolled back', async () => {
    const db = await opened(engine)
    const { heard } = await ears(db)
    const failing = db.transaction(async tx => {
      await db.publish(tx, 'never happened')
      throw new Error('No')
    })
    await expect(failing).rejects.toThrow('No')
    await db.transaction(tx => db.publish(tx, 'happened'))
    await expect.poll(() => heard).toEqual(['happened'])
  })

  test('says no more to who stopped listening', async () => {
    const db = await opened(engine)
    const [stays, leaves] = [await ears(db), await ears(db)]
    await leaves.stop()
    await db.transaction(tx => db.publish(tx, 'after'))
    await expect.poll(() => stays.heard).toEqual(['after'])
    expect(leaves.heard).toEqual([])
  })
})

describe('the bus between servers', () => {
  test('says that some may have been missed when its line broke, and goes on', async () => {
    const { open, rows } = await emptyDatabase('postgres')
    const [here, there] = [await open(), await open()]
    const { heard } = await ears(here)
    for (const round of [1, 2]) {
      expect(await rows(breakBusLines)).toHaveLength(1)
      await expect.poll(() => heard).toContain('(missed some)')
      await there.transaction(tx => there.publish(tx, `heard again ${round}`))
      await expect.poll(() => heard).toEqual(['(missed some)', `heard again ${round}`])
      heard.splice(0)
    }
  })
})
