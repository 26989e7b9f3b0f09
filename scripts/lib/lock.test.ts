import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-lock-'))
const lock = join(folder, 'deep', 'setup.lock')
beforeEach(() => rmSync(lock, { recursive: true, force: true }))

/** Resolves when somebody waits for the lock. */
async function untilSomeoneWaits(): Promise<void> {
  await vi.waitFor(() => expect(announced).toHaveBeenCalledWith(expect.stringContaining('Waiting for it')), 20_000)
}
const announced = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => announced.mockClear())

afterAll(() => rmSync(folder, { recursive: true }))

test('two pieces of work never run side by side', async () => {
  let running = 0
  const atOnce: number[] = []
  const work = async () => {
    atOnce.push(++running)
    await untilSomeoneWaits()
    running--
  }
  await Promise.all([withLock(work, lock), withLock(work, lock)])
  expect(atOnce).toEqual([1, 1])
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
  await untilSomeoneWaits()
  expect(begun).toBe(false)

  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(lock, longAgo, longAgo)
  await waiting
  expect(begun).toBe(true)
})
