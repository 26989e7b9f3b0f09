import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { type Engine, engines } from '../../test/library.ts'
import { breakBusLines } from '../../test/postgres.ts'
import type { Database } from './database.ts'

async function ears(db: Database) {
  const received: string[] = []
  const stop = await db.subscribe({
    onMessage: message => void received.push(message),
    onGap: () => void received.push('(missed some)'),
  })
  onTestFinished(stop)
  return { received, stop }
}

async function opened(engine: Engine): Promise<Database> {
  return (await emptyDatabase(engine)).open()
}

describe.each(engines)('the bus on %s', engine => {
  test('carries what was said, in its order, once it is committed', async () => {
    const db = await opened(engine)
    const { received } = await ears(db)
    await db.transaction(async tx => {
      await db.publish(tx, 'one')
      await db.publish(tx, 'two')
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(received).toEqual([])
    })
    await expect.poll(() => received).toEqual(['one', 'two'])
  })

  test('carries nothing of what was rolled back', async () => {
    const db = await opened(engine)
    const { received } = await ears(db)
    const failing = db.transaction(async tx => {
      await db.publish(tx, 'never happened')
      throw new Error('No')
    })
    await expect(failing).rejects.toThrow('No')
    await db.transaction(tx => db.publish(tx, 'happened'))
    await expect.poll(() => received).toEqual(['happened'])
  })

  test('says no more to who stopped listening', async () => {
    const db = await opened(engine)
    const [stays, leaves] = [await ears(db), await ears(db)]
    await leaves.stop()
    await db.transaction(tx => db.publish(tx, 'after'))
    await expect.poll(() => stays.received).toEqual(['after'])
    expect(leaves.received).toEqual([])
  })
})

describe('the bus between servers', () => {
  test('says that some may have been missed when its line broke, and goes on', async () => {
    const { open, rows } = await emptyDatabase('postgres')
    const [here, there] = [await open(), await open()]
    const { received } = await ears(here)
    for (const round of [1, 2]) {
      expect(await rows(breakBusLines)).toHaveLength(1)
      await expect.poll(() => received).toContain('(missed some)')
      await there.transaction(tx => there.publish(tx, `heard again ${round}`))
      await expect.poll(() => received).toEqual(['(missed some)', `heard again ${round}`])
      received.splice(0)
    }
  })
})
