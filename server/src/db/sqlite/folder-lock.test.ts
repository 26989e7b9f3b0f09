import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../../../test/program.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a folder that another process holds is refused by name, and free the moment that process is killed', async () => {
  const folder = await temporaryFolder()
  const holder = startProgram('hold-folder', folder)
  expect(await holder.line()).toBe('held')
  expect(() => lockFolder(folder)).toThrow(FolderInUse)
  expect(() => lockFolder(folder)).toThrow(`Another Heirloom is already running on the data folder ${folder}`)
  await holder.kill()
  lockFolder(folder)()
})

test('a folder is held once, until it is given back', async () => {
  const folder = await temporaryFolder()
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderInUse)
  unlock()
  lockFolder(folder)()
})

test('a folder that does not exist yet is made', async () => {
  const folder = join(await temporaryFolder(), 'a', 'b')
  const unlock = lockFolder(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
  expect(() => lockFolder(folder)).toThrow(FolderInUse)
  unlock()
  expect(() => lockFolder(folder)()).not.toThrow()
})
