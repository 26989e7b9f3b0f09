import { expect, test } from 'vitest'
import type { LiveEvent } from '#contract/live.ts'
import { History } from './history.ts'

const [ada, ben] = [1, 2]
const folders: LiveEvent = { kind: 'folders' }
const people: LiveEvent = { kind: 'people' }

test('who comes back hears what came after, as far as it concerns them, and each thing once', () => {
  const history = new History()
  history.keep({ position: 'a' })
  history.keep({ position: 'b', event: folders, to: 'everyone' })
  history.keep({ position: 'c', event: { kind: 'messages', conversation_id: 7 }, to: [ben] })
  history.keep({ position: 'd', event: people, to: [ada] })
  history.keep({ position: 'e', event: folders, to: 'everyone' })
  expect(history.after('a', ada)).toEqual([folders, people])
  expect(history.after('b', ben)).toEqual([{ kind: 'messages', conversation_id: 7 }, folders])
  expect(history.after('e', ada)).toEqual([])
  expect(history.position).toBe('e')
})

test('what came after a place that is not known, or not known any more, nobody says', () => {
  const history = new History()
  expect(history.position).toBeUndefined()
  expect(history.after('elsewhere', ada)).toBeUndefined()
  history.keep({ position: 'first' })
  for (let i = 0; i < 5_000; i++) history.keep({ position: `${i}`, event: folders, to: 'everyone' })
  expect(history.after('first', ada)).toBeUndefined()
  expect(history.after('4500', ada)).toEqual([folders])
  history.forget()
  expect([history.position, history.after('4500', ada)]).toEqual([undefined, undefined])
})
