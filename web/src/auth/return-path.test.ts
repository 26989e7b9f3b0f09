import { expect, test } from 'vitest'
import { safePath } from './return-path.ts'

const origin = 'https://photos.example'

test('a person returns to the page they wanted, with its query and place', () => {
  expect(safePath('/admin?tab=denied#row-3', origin)).toBe('/admin?tab=denied#row-3')
})

test('without a remembered page the way leads to the gallery', () => {
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
])('%j does not lead out of the product', path => {
  expect(safePath(path, origin)).toBe('/')
})

test.each(['/login', '/login?error=auth_failed', '/auth/callback?token=x', '/admin/../login'])(
  '%s would lead in a circle',
  path => {
    expect(safePath(path, origin)).toBe('/')
  },
)
