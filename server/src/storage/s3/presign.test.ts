import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import type { S3Settings } from './bucket.ts'
import { createPresigner } from './presign.ts'

const key = 'originals/2024/06/Łódź, été (1)!*~k3v9x2ab.jpg'

test.each([
  ['a store of one’s own', { S3_ENDPOINT: 'http://store:9000' }, 'http://store:9000/family/a%20%281%29.jpg'],
  [
    'a store with a host name per bucket',
    { S3_ENDPOINT: 'https://store.example', S3_FORCE_PATH_STYLE: 'false' },
    'https://family.store.example/a%20%281%29.jpg',
  ],
  ['Amazon', { S3_REGION: 'eu-central-1' }, 'https://family.s3.eu-central-1.amazonaws.com/a%20%281%29.jpg'],
])('%s is addressed as it wants to be', (_store, environment, expected) => {
  const address = createPresigner(settingsOf(environment), Date.now).presign('a (1).jpg')
  expect(address.split('?')[0]).toBe(expected)
})

test('an address stays the same for half an hour, and lasts an hour from its beginning', () => {
  let now = Date.UTC(2026, 5, 1, 12, 30)
  const presigner = createPresigner(settingsOf({ S3_ENDPOINT: 'http://store:9000' }), () => now)
  const address = presigner.presign(key)
  now += 29 * 60_000
  expect(presigner.presign(key)).toBe(address)
  expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('3600')
  now += 2 * 60_000
  expect(presigner.presign(key)).not.toBe(address)
})

test('the parts of an address make the same address', () => {
  const presigner = createPresigner(settingsOf({ S3_ENDPOINT: 'http://store:9000' }), Date.now)
  const { base, query, sign } = presigner.shared()
  expect(`${base}a.jpg?${query}${sign?.('a.jpg')}`).toBe(presigner.presign('a.jpg'))
})

test('browsers are sent to the public endpoint', () => {
  const settings = settingsOf({ S3_ENDPOINT: 'http://store:9000', S3_PUBLIC_ENDPOINT: 'https://files.example' })
  const presigner = createPresigner(settings, Date.now)
  expect(presigner.origin).toBe('https://files.example')
  expect(presigner.presign('a.jpg')).toMatch(/^https:\/\/files\.example\/family\/a\.jpg\?X-Amz-/)
})

function settingsOf(environment: Record<string, string | undefined>): S3Settings {
  const { s3 } = readConfig({
    S3_BUCKET: 'family',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    ...environment,
  })
  if (!s3) throw new Error('These are the settings of a store')
  return s3
}
