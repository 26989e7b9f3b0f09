import { expect, test } from 'vitest'
import { previewOf, truncate } from './preview.ts'

const at = '2026-06-14T12:00:00.000Z'
const last = (last_message: string, last_message_sender = 'ben') => ({
  last_message,
  last_message_sender,
  last_message_at: at,
  last_message_file: null,
})

test('a preview is truncated to 40 characters', () => {
  expect(previewOf(last('x'.repeat(40)), 'ada')).toBe('x'.repeat(40))
  expect(previewOf(last('x'.repeat(41)), 'ada')).toBe(`${'x'.repeat(40)}…`)
})

test('my own messages have the prefix You, which does not count', () => {
  expect(previewOf(last('Hello', 'ada'), 'ada')).toBe('You: Hello')
  expect(previewOf(last('x'.repeat(50), 'ada'), 'ada')).toBe(`You: ${'x'.repeat(40)}…`)
})

test('a conversation without messages has a placeholder', () => {
  const nothing = { last_message: null, last_message_sender: null, last_message_at: null, last_message_file: null }
  expect(previewOf(nothing, 'ada')).toBe('No messages yet')
})

test('a file without a text is described by its kind', () => {
  expect(previewOf({ ...last('', 'ada'), last_message_file: 'image' }, 'ada')).toBe('You: Sent a photo')
  expect(previewOf({ ...last(''), last_message_file: 'video' }, 'ada')).toBe('Sent a video')
  expect(previewOf(last(''), 'ada')).toBe('Sent a file that is no longer here')
})

test('graphemes of several code points count as one character and are not split', () => {
  expect(truncate('👨‍👩‍👧‍👦🇵🇹é', 2)).toBe('👨‍👩‍👧‍👦🇵🇹…')
  expect(truncate('👨‍👩‍👧‍👦🇵🇹é', 3)).toBe('👨‍👩‍👧‍👦🇵🇹é')
})
