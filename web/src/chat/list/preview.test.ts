import { expect, test } from 'vitest'
import { previewOf, truncate } from './preview.ts'

const at = '2026-06-14T12:00:00.000Z'
const last = (last_message: string, last_message_sender = 'ben') => ({
  last_message,
  last_message_sender,
  last_message_at: at,
  last_message_file: null,
})

test('up to 40 characters are shown whole, and of more the first 40', () => {
  expect(previewOf(last('x'.repeat(40)), 'ada')).toBe('x'.repeat(40))
  expect(previewOf(last('x'.repeat(41)), 'ada')).toBe(`${'x'.repeat(40)}…`)
})

test('what I said myself begins with You, which takes nothing from the 40', () => {
  expect(previewOf(last('Hello', 'ada'), 'ada')).toBe('You: Hello')
  expect(previewOf(last('x'.repeat(50), 'ada'), 'ada')).toBe(`You: ${'x'.repeat(40)}…`)
})

test('where nothing was said yet, it says so', () => {
  const nothing = { last_message: null, last_message_sender: null, last_message_at: null, last_message_file: null }
  expect(previewOf(nothing, 'ada')).toBe('No messages yet')
})

test('a photo without words is said to be one', () => {
  expect(previewOf({ ...last('', 'ada'), last_message_file: 'image' }, 'ada')).toBe('You: Sent a photo')
  expect(previewOf({ ...last(''), last_message_file: 'video' }, 'ada')).toBe('Sent a video')
  expect(previewOf(last(''), 'ada')).toBe('Sent a file that is no longer here')
})

test('a family of emoji, a flag and an accent count as one letter each and are not cut apart', () => {
  expect(truncate('👨‍👩‍👧‍👦🇵🇹é', 2)).toBe('👨‍👩‍👧‍👦🇵🇹…')
  expect(truncate('👨‍👩‍👧‍👦🇵🇹é', 3)).toBe('👨‍👩‍👧‍👦🇵🇹é')
})
