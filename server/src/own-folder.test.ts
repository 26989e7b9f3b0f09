import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../test/program.ts'
import { takeOwnFolder } from './own-folder.ts'

test('servers that share a folder each have a corner of it, and that of one that died is cleared by the next', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'heirloom-corners-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const dead = join(parent, 'of-another-process')
  const program = startProgram('hold-folder', dead)
  expect(await program.line()).toBe('held')
  await writeFile(join(dead, 'half'), 'half')

  const first = await takeOwnFolder(parent)
  await writeFile(join(first.path, 'half'), 'half')
  const second = await takeOwnFolder(parent)
  expect(await readdir(parent)).toHaveLength(3)
  expect(existsSync(join(dead, 'half'))).toBe(true)

  await program.kill()
  const third = await takeOwnFolder(parent)
  expect(existsSync(dead)).toBe(false)
  expect(existsSync(join(first.path, 'half'))).toBe(true)
  for (const own of [first, second, third]) await own.release()
  expect(await readdir(parent)).toEqual([])
})
