import { expect, test } from 'vitest'
import { startLibrary } from '../../test/library.ts'
import { printable, printableJson, printableLine } from './printable.ts'

const hostile = '\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202egpj.exe\x00\x7f'

test('what a terminal would act on is written out, and everything else stays', () => {
  expect(printable(hostile)).toBe(String.raw`\x1b]0;owned\x07\x1b[2J\x9b31m\x0d\u{202e}gpj.exe\x00\x7f`)
  expect(printable('Oma & Opa 🎂 — año 日本 שלום é\ttwo\nlines')).toBe('Oma & Opa 🎂 — año 日本 שלום é\ttwo\nlines')
  expect(printable('half \ud83d, \udf82 half')).toBe(String.raw`half \u{d83d}, \u{df82} half`)
})

test('inside a line, no other line can be forged', () => {
  expect(printableLine('a.jpg\n0 files skipped')).toBe(String.raw`a.jpg\n0 files skipped`)
})

test('a line of JSON means the same as before', () => {
  const line = `${JSON.stringify({ name: `${hostile} 🎂` })}\n`
  const safe = printableJson(line)
  expect(JSON.parse(safe)).toEqual(JSON.parse(line))
  expect(safe).not.toMatch(/[\x7f-\x9f\u202e]/)
})

test('the log of a server holds no character that a terminal would act on', async () => {
  const library = await startLibrary({ environment: { LOG_LEVEL: 'info' } })
  try {
    library.app.http.log.error({ name: hostile }, `could not read ${hostile}`)
    const said = library.log.filter(line => line.includes('could not read'))
    expect(said).toHaveLength(1)
    expect(JSON.parse(said[0] ?? '').name).toBe(hostile)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    expect(said.join('').trimEnd()).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
  } finally {
    await library.close()
  }
})
