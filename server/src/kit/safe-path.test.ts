import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  newName,
  parentBelow,
  pathBelow,
  pathsIn,
  removeFolder,
  rootFolder,
  type SafeName,
  safeName,
  withTemporaryFolder,
} from './safe-path.ts'

const root = rootFolder('/data/uploads')

test('a name that is spelled out or was parsed gives a path below its folder', () => {
  expect(pathBelow(root, 'poster.jpg')).toBe('/data/uploads/poster.jpg')
  expect(pathBelow(root, safeName('2024/06/a~b.jpg'))).toBe('/data/uploads/2024/06/a~b.jpg')
  expect(pathBelow(pathBelow(root, '.tmp'), newName())).toMatch(/^\/data\/uploads\/\.tmp\/[0-9a-f-]{36}$/)
  expect(pathBelow(rootFolder('/'), 'a')).toBe('/a')
})

test('a plain string compiles neither as a name nor as a folder', () => {
  const text: string = 'a'
  // @ts-expect-error a computed string is no name
  pathBelow(root, text)
  // @ts-expect-error nor is one that is put together from it
  pathBelow(root, `${text}.json`)
  // @ts-expect-error nor one with a spelled-out beginning
  pathBelow(root, `upload-${text}` as const)
  // @ts-expect-error and no folder is a plain string
  pathBelow('/data', 'a')
  // @ts-expect-error what was not made here is not removed
  const remove = () => removeFolder('/data')
  expect(remove).toBeTypeOf('function')
})

const leading = ['..', '.', '', '/', '../a', 'a/..', 'a/../../b', 'a//b', 'a/', '/etc/passwd', 'a\\b', 'a\0b', 'a\nb']

test.each([...leading, 'x'.repeat(256)])('%j is refused at run time, whatever its type says', name => {
  expect(() => pathBelow(root, name as SafeName)).toThrow('Not a safe file name')
})

test('a folder has to be absolute', () => {
  expect(() => rootFolder('data')).toThrow('Not an absolute path')
  expect(rootFolder('/data/../etc/')).toBe('/etc')
})

test('the parents of a path end at its root', () => {
  const file = pathBelow(root, 'a/b/c.jpg')
  const folder = parentBelow(root, file)
  expect(folder).toBe('/data/uploads/a/b')
  expect(folder && parentBelow(root, folder)).toBe('/data/uploads/a')
  expect(parentBelow(root, pathBelow(root, 'a'))).toBeUndefined()
})

test('removing what lies in a folder leaves what a link there points to', async () => {
  const home = await mkdtemp(join(tmpdir(), 'heirloom-safe-'))
  onTestFinished(() => rm(home, { recursive: true }))
  await mkdir(join(home, 'own'))
  await writeFile(join(home, 'precious'), 'bytes')
  await symlink(home, join(home, 'own/link'))
  for (const path of await pathsIn(rootFolder(join(home, 'own')))) await removeFolder(path)
  expect(existsSync(join(home, 'precious'))).toBe(true)
  expect(existsSync(join(home, 'own/link'))).toBe(false)
})

test('a temporary folder is gone when the work is done or has failed', async () => {
  const folders: string[] = []
  await withTemporaryFolder(tmpdir(), 'heirloom-safe-', async folder => void folders.push(folder))
  const failing = withTemporaryFolder(tmpdir(), 'heirloom-safe-', async folder => {
    folders.push(folder)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(folders.filter(existsSync)).toEqual([])
})
