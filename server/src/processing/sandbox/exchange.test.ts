import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openExchange } from './exchange.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-exchange-'))
const photo = join(folder, 'photo.JPG')
writeFileSync(photo, 'pixels')
const made: string[] = [folder]
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

const otherDisk = ['/dev/shm', '/tmp'].find(path => existsSync(path) && statSync(path).dev !== statSync(folder).dev)
const roots = [['the same disk', tmpdir()] as const, ...(otherDisk ? [['another disk', otherDisk] as const] : [])]

describe.each(roots)('an exchange on %s', (place, parent) => {
  const root = mkdtempSync(join(parent, 'heirloom-exchange-'))
  made.push(root)
  const exchange = openExchange(root)

  test('lends a file under a name that says nothing but its kind', async () => {
    const lent = await exchange.withInput(photo, async path => {
      expect(path).toMatch(/\/in\/[\da-f-]{36}\.JPG$/)
      expect(readFileSync(path, 'utf8')).toBe('pixels')
      expect(statSync(photo).nlink).toBe(place === 'the same disk' ? 2 : 1)
      return path
    })
    expect(existsSync(lent)).toBe(false)
    expect(readFileSync(photo, 'utf8')).toBe('pixels')
  })

  test('takes over plain files, and leaves what has no plain name', async () => {
    const target = mkdtempSync(join(folder, 'target-'))
    writeFileSync(join(exchange.outbox, 'desktop.jpg'), 'small pixels')
    writeFileSync(join(exchange.outbox, '.hidden'), '')
    await exchange.copyAllOut(target)
    expect(readdirSync(target)).toEqual(['desktop.jpg'])
    expect(readFileSync(join(target, 'desktop.jpg'), 'utf8')).toBe('small pixels')
    await exchange.clear()
    expect(readdirSync(exchange.outbox)).toEqual([])
  })

  test('gives a file that the process can no longer change, even one that it still has open', async () => {
    const target = join(mkdtempSync(join(folder, 'target-')), 'desktop.jpg')
    const kept = openSync(join(exchange.outbox, 'desktop.jpg'), 'w')
    writeSync(kept, 'small pixels')
    await exchange.copyOut('desktop.jpg', target)
    writeSync(kept, ' and more', 0)
    closeSync(kept)
    expect(readFileSync(target, 'utf8')).toBe('small pixels')
    await exchange.clear()
  })

  test('takes over an empty file', async () => {
    const target = join(mkdtempSync(join(folder, 'target-')), 'desktop.jpg')
    writeFileSync(join(exchange.outbox, 'desktop.jpg'), '')
    await exchange.copyOut('desktop.jpg', target)
    expect(statSync(target).size).toBe(0)
    await exchange.clear()
  })

  test('takes over no link and no folder, and does not look into one', async () => {
    const target = mkdtempSync(join(folder, 'target-'))
    symlinkSync(photo, join(exchange.outbox, 'desktop.jpg'))
    await expect(exchange.copyAllOut(target)).rejects.toThrow('something other than a file')
    await exchange.clear()
    mkdirSync(join(exchange.outbox, 'mobile.jpg'))
    await expect(exchange.copyAllOut(target)).rejects.toThrow('something other than a file')
    await expect(exchange.clear()).rejects.toThrow('something other than a file')
    expect(readdirSync(target)).toEqual([])
    expect(readFileSync(photo, 'utf8')).toBe('pixels')
    await exchange.remove()
    expect(readdirSync(root)).toEqual([])
  })
})
