import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listFailedFiles } from '#contract/admin.ts'
import { logOut, whoAmI } from '#contract/auth.ts'
import { checkDuplicate, MediaFileWithMetadata } from '#contract/media.ts'
import { approvePerson } from '#contract/people.ts'
import { ApiError, call } from './api.ts'
import { readToken, storeToken } from './token.ts'

const ada = { id: 1, username: 'ada', name: 'Ada', avatar_url: null, role: 'admin' }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Replaces `fetch` and records the requests. */
function serve(answer: (address: string, request: RequestInit) => Response | Promise<Response>) {
  const server = vi.fn(async (address: string, request: RequestInit) => answer(address, request))
  vi.stubGlobal('fetch', server)
  return server
}

function says(status: number, body: unknown): Response {
  return Response.json(body, { status })
}

async function failureOf(called: Promise<unknown>): Promise<ApiError> {
  const failure = await called.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof ApiError)) throw new Error('the call should have failed as ApiError', { cause: failure })
  return failure
}

test('a call sends the token and returns the parsed answer', async () => {
  storeToken('secret')
  const server = serve(() => says(200, { ...ada, password_hash: 'x' }))
  expect(await call(whoAmI, {})).toEqual(ada)
  const [address, request] = server.mock.calls[0] ?? []
  expect(address).toBe('/auth/me')
  expect(request).toMatchObject({ method: 'GET', credentials: 'include', body: null })
  expect(new Headers(request?.headers).get('authorization')).toBe('Bearer secret')
})

test('a 204 needs no body', async () => {
  const server = serve(() => new Response(null, { status: 204 }))
  expect(await call(approvePerson, { params: { id: 7 } })).toBeUndefined()
  expect(server.mock.calls[0]?.[0]).toBe('/api/admin/pending-users/7/approve')
})

test("the error has the server's message", async () => {
  serve(() => says(409, { error: 'Someone was quicker.', code: 'conflict' }))
  const failure = await failureOf(call(approvePerson, { params: { id: 7 } }))
  expect(failure).toMatchObject({ status: 409, code: 'conflict', message: 'Someone was quicker.' })
})

test('an error page of a proxy becomes our own message', async () => {
  serve(() => new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
  const failure = await failureOf(call(whoAmI, {}))
  expect(failure).toMatchObject({ status: 502, code: 'unexplained' })
  expect(failure.message).not.toContain('<')
})

test('an answer that does not match the schema is an error', async () => {
  serve(() => says(200, { ...ada, role: 'emperor' }))
  expect(await failureOf(call(whoAmI, {}))).toMatchObject({ status: 200, code: 'unreadable' })
})

test('the answer of a server of another version is read: without a new field, and with a value that is new', async () => {
  serve(() => says(200, { duplicates: [{ id: 7, original_name: 'a.heic' }] }))
  expect(await call(checkDuplicate, { body: { hash: '0'.repeat(64) } })).toMatchObject({
    duplicates: [{ incomplete: false }],
  })

  const { date_source, incomplete } = MediaFileWithMetadata.shape
  expect([date_source.parse('dream'), incomplete.parse(undefined)]).toEqual([null, null])

  const failed = { id: 7, original_name: 'a.heic', file_type: 'image', file_size: 1, reason: 'It is faded.' }
  serve(() => says(200, [{ ...failed, problem: 'faded', since: '2026-11-18T00:00:00.000Z', download_url: '/f' }]))
  expect(await call(listFailedFiles, { query: {} })).toMatchObject([{ problem: 'partly_damaged', ...failed }])
})

test('a 401 clears the token', async () => {
  storeToken('expired')
  serve(() => says(401, { error: 'Please sign in.', code: 'unauthenticated' }))
  expect(await failureOf(call(whoAmI, {}))).toMatchObject({ status: 401 })
  expect(readToken()).toBeNull()
})

test('a late 401 for an old token keeps the new one', async () => {
  storeToken('old')
  serve(() => {
    storeToken('new')
    return says(401, { error: 'Please sign in.', code: 'unauthenticated' })
  })
  await failureOf(call(whoAmI, {}))
  expect(readToken()).toBe('new')
})

test('an unreachable server keeps the token', async () => {
  storeToken('secret')
  serve(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await failureOf(call(logOut, {}))).toMatchObject({ status: 0, code: 'unreachable' })
  expect(readToken()).toBe('secret')
})

test('an aborted call rejects as aborted, not as failed', async () => {
  serve((_, { signal }) => {
    signal?.throwIfAborted()
    return says(200, ada)
  })
  const unwanted = call(whoAmI, {}, AbortSignal.abort())
  await expect(unwanted).rejects.toMatchObject({ name: 'AbortError' })
})
