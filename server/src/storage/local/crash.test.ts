import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#server/kit/clock.ts'
import { bytesOf, keysIn } from '../../../test/storage-contents.ts'
import { createSigning } from '../signing.ts'
import type { Storage } from '../storage.ts'
import { openLocalStorage } from './local-storage.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heirloom-crash-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the child until it has acknowledged some files, kills it, and returns their keys. */
async function killedAfter(acknowledgements: number): Promise<string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crash-child.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface(child.stdout).on('line', line => {
    lines.push(line)
    if (lines.length === acknowledgements) setTimeout(() => child.kill('SIGKILL'), randomInt(10))
  })
  const [, signal] = await once(child, 'close')
  expect(signal).toBe('SIGKILL')
  return lines
}

async function isWhole(storage: Storage, key: string): Promise<boolean> {
  const bytes = await bytesOf((await storage.read(key)).stream)
  return createHash('sha256').update(bytes.subarray(0, -32)).digest().equals(bytes.subarray(-32))
}

test('after kill -9 every acknowledged file is there, every file is whole, and the sweep leaves no trace', {
  timeout: 60_000,
}, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < 4; round++) acknowledged.push(...(await killedAfter(randomInt(20, 60))))
  const unfinished = await readdir(join(folder, '.tmp'))

  const signing = createSigning({ secret: randomBytes(32), clock: systemClock })
  const storage = await openLocalStorage({ folder, signing })
  await storage.removeUnfinished(new Date(Date.now() + 60_000))

  const stored = await keysIn(storage)
  expect(stored).toEqual(expect.arrayContaining(acknowledged))
  for (const key of stored) expect(await isWhole(storage, key), key).toBe(true)
  // Four writers were killed while writing, four times: without the cleanup, temporary files would be left.
  expect(unfinished.length).toBeGreaterThan(0)
  expect(await readdir(join(folder, '.tmp'))).toEqual([])
})
