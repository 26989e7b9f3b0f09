import { expect, test } from 'vitest'
import type { LiveEvent } from '#contract/live.ts'
import { History } from './history.ts'

const [ada, ben] = [1, 2]
const folders: LiveEvent = { kind: 'folders' }
const people: LiveEvent = { kind: 'people' }

test('who comes back hears what came after, as far as it concerns them, and each thing once', () => {
  const history = new History()
  history.add({ position: 'a' })
  history.add({ position: 'b', event: folders, to: 'everyone' })
  history.add({ position: 'c', event: { kind: 'messages', conversation_id: 7 }, to: [ben] })
  history.add({ position: 'd', event: people, to: [ada] })
  history.add({ position: 'e', event: folders, to: 'everyone' })
  expect(history.since('a', ada)).toEqual([folders, people])
  expect(history.since('b', ben)).toEqual([{ kind: 'messages', conversation_id: 7 }, folders])
  expect(history.since('e', ada)).toEqual([])
  expect(history.position).toBe('e')
})

test('what came after a place that is not known, or not known any more, nobody says', () => {
  const history = new History()
  expect(history.position).toBeUndefined()
  expect(history.since('elsewhere', ada)).toBeUndefined()
  history.add({ position: 'first' })
  for (let i = 0; i < 5_000; i++) history.add({ position: `${i}`, event: folders, to: 'everyone' })
  expect(history.since('first', ada)).toBeUndefined()
  expect(history.since('4500', ada)).toEqual([folders])
  history.clear()
  expect([history.position, history.since('4500', ada)]).toEqual([undefined, undefined])
})
