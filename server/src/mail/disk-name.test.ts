import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTemporaryFolder } from '../kit/safe-path.ts'
import { diskNameOf } from './disk-name.ts'

test('a disk has the same name for each server that starts with its data folder, and another one than other disks', async () => {
  await withTemporaryFolder(tmpdir(), 'disk-', async one => {
    await withTemporaryFolder(tmpdir(), 'disk-', async other => {
      const name = await diskNameOf(join(one, 'disk-id'))
      expect(name).toMatch(/^disk:[\w-]{36}$/)
      expect(await diskNameOf(join(one, 'disk-id'))).toBe(name)
      expect(name).not.toContain(hostname())
      expect(await diskNameOf(join(other, 'disk-id'))).not.toBe(name)
    })
  })
})

test('a disk that cannot be written is named by its server', async () => {
  expect(await diskNameOf(join('/nowhere', 'disk-id'))).toBe(`disk:${hostname()}`)
})
