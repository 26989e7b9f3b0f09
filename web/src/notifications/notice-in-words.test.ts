import { expect, onTestFinished, test, vi } from 'vitest'
import { noticeInWords } from './notice-in-words.ts'

const loved = {
  title: 'Rose loves your photo',
  message: 'beach.jpg',
  texts: {
    title: { key: 'hearts.photos', values: { name: 'Rose', second: '', others: 0, files: 1 } },
    message: { key: 'hearts.text', values: { file: 'beach.jpg', more: 0 } },
  },
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
  expect(inGerman(loved)).toEqual({ title: 'Rose gefällt dein Foto', message: 'beach.jpg' })
  const newer = { ...loved, texts: { ...loved.texts, title: { key: 'hearts.ofLater' } } }
  expect(inGerman(newer)).toEqual({ title: loved.title, message: 'beach.jpg' })
  expect(inGerman({ title: 'Of an earlier server', message: 'beach.jpg' }).title).toBe('Of an earlier server')
})
