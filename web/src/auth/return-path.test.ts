import { expect, test } from 'vitest'
import { safePath } from './return-path.ts'

const origin = 'https://photos.example'

test('query and hash of the page are kept', () => {
  expect(safePath('/admin?tab=denied#row-3', origin)).toBe('/admin?tab=denied#row-3')
})

test('without a stored page it is the gallery', () => {
  expect(safePath(null, origin)).toBe('/')
})

test.each([
  'https://evil.example/admin',
  '//evil.example/admin',
  '/\\evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  'admin',
  '',
  'https://',
])('%j does not redirect to another site', path => {
  expect(safePath(path, origin)).toBe('/')
})

test.each(['/login', '/login?error=auth_failed', '/auth/callback?token=x', '/admin/../login'])(
  '%s would be a redirect loop',
  path => {
    expect(safePath(path, origin)).toBe('/')
  },
)
