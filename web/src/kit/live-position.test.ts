import { expect, test } from 'vitest'
import { firstLivePosition, recordLivePosition } from './live-position.ts'

test('only the first position of a session is kept, because data fetched after it may be older than a later position', () => {
  expect(firstLivePosition('adas')).toBeUndefined()
  recordLivePosition('adas', null)
  expect(firstLivePosition('adas')).toBeUndefined()
  recordLivePosition('adas', 'one')
  recordLivePosition('adas', 'two')
  expect(firstLivePosition('adas')).toBe('one')
})

test('another session has a position of its own', () => {
  recordLivePosition('bens', 'three')
  expect([firstLivePosition('bens'), firstLivePosition('adas')]).toEqual(['three', undefined])
})
