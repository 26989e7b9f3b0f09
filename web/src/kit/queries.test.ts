import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { appSettings, whoAmI } from '#contract/auth.ts'
import { adminStats } from '#contract/people.ts'
import { ApiError } from './api.ts'
import { createQueryClient, endpointKey, query } from './queries.ts'
import { clearToken, storeToken } from './token.ts'

beforeEach(() => {
  const kept = new Map([['auth_token', 'of the first person']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function answering(answer: unknown) {
  vi.stubGlobal('fetch', async () => Response.json(answer))
}

const ada = { id: 1, username: 'ada', name: 'Ada', avatar_url: null, role: 'admin' }
const settings = {
  title: 'The Okafors',
  contactName: 'Mum',
  adminName: 'Ada',
  demo: false,
  uploadsUrl: null,
  transcoderCoreUrl: null,
  trashDays: 30,
}

test.each([
  ['signs out', () => clearToken()],
  ['gives way to another', () => storeToken('of the second person')],
])('private data leaves the cache when a person signs out or another signs in: one who %s', async (_, leave) => {
  const client = createQueryClient()
  answering(ada)
  await client.fetchQuery(query(whoAmI, {}))
  answering(settings)
  await client.fetchQuery(query(appSettings, {}))

  leave()

  expect(client.getQueryData(query(whoAmI, {}).queryKey)).toBeUndefined()
  expect(client.getQueryData(query(appSettings, {}).queryKey)).toEqual(settings)
})

test('invalidating an endpoint covers all its cached answers', () => {
  expect(query(adminStats, {}).queryKey.slice(0, 1)).toEqual(endpointKey(adminStats))
})

test('transient errors are retried once, refusals are not', () => {
  const { retry } = createQueryClient().getDefaultOptions().queries ?? {}
  if (typeof retry !== 'function') throw new Error('retry should decide by the error')
  expect(retry(0, new ApiError(0, 'unreachable', ''))).toBe(true)
  expect(retry(0, new ApiError(503, 'unavailable', ''))).toBe(true)
  expect(retry(1, new ApiError(503, 'unavailable', ''))).toBe(false)
  expect(retry(0, new ApiError(403, 'forbidden', ''))).toBe(false)
  expect(retry(0, new ApiError(404, 'not_found', ''))).toBe(false)
})
