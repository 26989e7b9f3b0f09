import { expect, test } from 'vitest'
import { firstLivePosition, recordLivePosition } from './live-position.ts'

function answerAt(position?: string): Response {
  return new Response(null, { headers: position === undefined ? {} : { 'live-position': position } })
}

test('only the first position of a session is kept, because data fetched after it may be older than a later position', () => {
  expect(firstLivePosition('adas')).toBeUndefined()
  recordLivePosition('adas', answerAt())
  expect(firstLivePosition('adas')).toBeUndefined()
  recordLivePosition('adas', answerAt('one'))
  recordLivePosition('adas', answerAt('two'))
  expect(firstLivePosition('adas')).toBe('one')
})

test('another session has a position of its own', () => {
  recordLivePosition('bens', answerAt('three'))
  expect([firstLivePosition('bens'), firstLivePosition('adas')]).toEqual(['three', undefined])
})
