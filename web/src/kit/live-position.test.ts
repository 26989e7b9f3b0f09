import { expect, test } from 'vitest'
import { firstLivePosition, recordLivePosition } from './live-position.ts'

function answerAt(position?: string): Response {
  return new Response(null, { headers: position === undefined ? {} : { 'live-position': position } })
}

test('the first position of a session counts, for what was read after it is older than the next one', () => {
  expect(firstLivePosition('adas')).toBeUndefined()
  recordLivePosition('adas', answerAt())
  expect(firstLivePosition('adas')).toBeUndefined()
  recordLivePosition('adas', answerAt('one'))
  recordLivePosition('adas', answerAt('two'))
  expect(firstLivePosition('adas')).toBe('one')
})

test('the next person on the device begins anew', () => {
  recordLivePosition('bens', answerAt('three'))
  expect([firstLivePosition('bens'), firstLivePosition('adas')]).toEqual(['three', undefined])
})
