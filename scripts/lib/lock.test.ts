import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-lock-'))
const lock = join(folder, 'deep', 'setup.lock')
beforeEach(() => rmSync(lock, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

test('two pieces of work never run side by side', async () => {
  const acts: string[] = []
  const work = (name: string) => async () => {
    acts.push(`${name} begins`)
    await sleep(300)
    acts.push(`${name} ends`)
  }
  await Promise.all([withLock(work('one'), lock), withLock(work('other'), lock)])
  expect(acts).toEqual(['one begins', 'one ends', 'other begins', 'other ends'])
})

test('work that fails gives the lock back', async () => {
  const failing = withLock(() => Promise.reject(new Error('no network')), lock)
  await expect(failing).rejects.toThrow('no network')
  expect(existsSync(lock)).toBe(false)
})

test('a lock that a killed run left behind is taken over, a fresh one is waited for', async () => {
  mkdirSync(lock, { recursive: true })
  let begun = false
  const waiting = withLock(async () => {
    begun = true
  }, lock)
  await sleep(600)
  expect(begun).toBe(false)

  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(lock, longAgo, longAgo)
  await waiting
  expect(begun).toBe(true)
})
