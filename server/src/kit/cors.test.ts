import { afterAll, beforeAll, expect, test } from 'vitest'
import { resumableUploadsPath, uploadMedia } from '#contract/upload.ts'
import { type Library, startLibrary } from '../../test/library.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary({ environment: { UPLOADS_URL: 'https://up.example' } })
})
afterAll(() => library.close())

const ask = (path: string, origin: string) =>
  library.anyone.fetch(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization, tus-resumable, upload-offset, content-type',
    },
  })

test.each([uploadMedia.path, resumableUploadsPath, `${resumableUploadsPath}/7-x`])(
  'pages of the library may send to %s at the uploads host',
  async path => {
    const answer = await ask(path, library.url.origin)
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': library.url.origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      vary: expect.stringContaining('Origin'),
    })
  },
)

test('pages from elsewhere may not, and nothing else is open to either', async () => {
  for (const answer of [
    await ask(resumableUploadsPath, 'https://elsewhere.example'),
    await ask('/api/media', library.url.origin),
    await ask(`${uploadMedia.path}er`, library.url.origin),
  ]) {
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('a page can read errors and the offset of an upload', async () => {
  const origin = library.url.origin
  const refused = await library.anyone.fetch(uploadMedia.path, { method: 'POST', headers: { origin } })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin])
  const ben = await library.signInAs('ben')
  const begun = await ben.fetch(resumableUploadsPath, {
    method: 'POST',
    headers: { origin, 'tus-resumable': '1.0.0', 'upload-length': '10' },
  })
  expect(begun.status).toBe(201)
  expect(begun.headers.get('access-control-allow-origin')).toBe(origin)
  expect(begun.headers.get('access-control-allow-credentials')).toBe('true')
  expect(begun.headers.get('access-control-expose-headers')).toMatch(/Location/i)
  expect(begun.headers.get('access-control-expose-headers')).toMatch(/Upload-Offset/i)
})

test('the page is allowed by its own rules to send there', async () => {
  const policy = (await library.anyone.fetch('/login')).headers.get('content-security-policy')
  expect(policy).toMatch(/connect-src 'self' https:\/\/up\.example/)
})
