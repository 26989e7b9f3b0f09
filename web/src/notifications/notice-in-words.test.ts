import { expect, onTestFinished, test, vi } from 'vitest'
import type { Notification } from '#contract/notifications.ts'
import { noticeInWords } from './notice-in-words.ts'

const loved: Notification = {
  ...{ id: 1, type: 'other', read: false, created_at: '2026-06-14T10:00:00.000Z', target: null },
  title: 'Rose loves your photo',
  title_key: 'hearts.photos',
  title_values: { name: 'Rose', second: '', others: 0, files: 1 },
  message: 'It is one of their favourites now.',
  message_key: 'hearts.text',
  message_values: { files: 1 },
  picture: null,
}

test('an English page says what the server says', () => {
  expect(noticeInWords(loved)).toEqual({ title: loved.title, message: loved.message })
})

test('another page says it in its language, and in English what it does not know', async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  vi.stubGlobal('navigator', { languages: ['de-DE'] })
  vi.resetModules()
  const { noticeInWords: inGerman } = await import('./notice-in-words.ts')
  expect(inGerman(loved)).toEqual({ title: 'Rose gefällt dein Foto', message: 'Es ist jetzt bei den Favoriten.' })
  expect(inGerman({ ...loved, title_key: 'hearts.ofLater' }).title).toBe(loved.title)
  expect(inGerman({ ...loved, title_key: undefined, title_values: undefined }).title).toBe(loved.title)
})
