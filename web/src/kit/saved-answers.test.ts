import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readKeeper } from './device-store.ts'
import { forgetDevice, lockWithSession, recordPerson, saveAnswer, savedAnswer } from './saved-answers.ts'
import { clearToken, storeToken } from './token.ts'

/** What these tests need of IndexedDB and of the local storage, in memory. */
function stubStorage() {
  const stores = new Map<string, Map<unknown, unknown>>()
  const items = new Map<string, string>()
  function request<T>(result: T) {
    const asked: { result: T; onsuccess?: () => void } = { result }
    void Promise.resolve().then(() => asked.onsuccess?.())
    return asked
  }
  function transaction() {
    const current: { oncomplete?: () => void; objectStore: (name: string) => object } = {
      objectStore(name) {
        const rows = stores.get(name) ?? new Map<unknown, unknown>()
        stores.set(name, rows)
        return {
          get: (key: unknown) => request(rows.get(key)),
          index: () => ({ get: () => request(undefined) }),
          put: (row: { address?: string }, key?: unknown) => request(rows.set(key ?? row.address, row)),
          count: () => request(rows.size),
          clear: () => request(rows.clear()),
        }
      },
    }
    setTimeout(() => current.oncomplete?.())
    return current
  }
  vi.stubGlobal('indexedDB', {
    open() {
      const opening: { result: object; onsuccess?: () => void } = { result: { transaction, close: () => {} } }
      setTimeout(() => opening.onsuccess?.())
      return opening
    },
  })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  stubStorage()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function settled<T>(promise?: Promise<T>): Promise<T | undefined> {
  await vi.advanceTimersByTimeAsync(2_000)
  return promise
}

function signIn(token: string, person: number) {
  storeToken(token)
  recordPerson(token, person)
}

test('an answer is kept for the person whose session it is', async () => {
  signIn('of Ada', 1)
  saveAnswer('of Ada', '/api/media', 'seen by Ada')
  await settled()
  expect(await settled(savedAnswer('/api/media'))).toMatchObject({ text: 'seen by Ada' })
  clearToken()
  signIn('of Ben', 2)
  expect(await settled(savedAnswer('/api/media'))).toBeUndefined()
})

test('an answer that arrives after the next person has signed in is not kept for them', async () => {
  signIn('of Ada', 1)
  clearToken()
  signIn('of Ben', 2)
  saveAnswer('of Ben', '/api/media', 'seen by Ben')
  saveAnswer('of Ada', '/auth/me', 'Ada')
  await settled()
  expect(await settled(savedAnswer('/api/media'))).toMatchObject({ text: 'seen by Ben' })
  expect(await settled(savedAnswer('/auth/me'))).toBeUndefined()
})

test('an answer that is being kept while the person signs out is not left for the next one', async () => {
  signIn('of Ada', 1)
  saveAnswer('of Ada', '/api/media', 'seen by Ada')
  await settled()
  saveAnswer('of Ada', '/api/messages/1', 'written to Ada')
  await vi.advanceTimersByTimeAsync(500)
  // The token is cleared after the device, as after a 401.
  await settled(forgetDevice())
  clearToken()
  signIn('of Ben', 2)
  saveAnswer('of Ben', '/api/media', 'seen by Ben')
  await settled()
  expect(await settled(savedAnswer('/api/messages/1'))).toBeUndefined()
  expect(await settled(savedAnswer('/api/media'))).toMatchObject({ text: 'seen by Ben' })
})

test('a device that is erased while its session ends is of nobody', async () => {
  lockWithSession()
  signIn('of Ada', 1)
  saveAnswer('of Ada', '/api/media', 'seen by Ada')
  await settled()
  expect(await settled(readKeeper())).toMatchObject({ person: 1, locked: false })
  clearToken()
  await settled(forgetDevice())
  expect(await settled(readKeeper())).toBeUndefined()
})

test('an expired session locks the device until the same person signs in', async () => {
  signIn('of Ada', 1)
  saveAnswer('of Ada', '/api/media', 'seen by Ada')
  await settled()
  clearToken()
  await settled()
  expect(await settled(readKeeper())).toMatchObject({ person: 1, locked: true })
  signIn('again of Ada', 1)
  expect(await settled(savedAnswer('/api/media'))).toBeUndefined()
  saveAnswer('again of Ada', '/api/media', 'seen again')
  await settled()
  expect(await settled(savedAnswer('/api/media'))).toMatchObject({ text: 'seen again' })
})
