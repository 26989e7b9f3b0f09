import { expect, test } from 'vitest'
import { readDate } from '#contract/read-date.ts'
import germanTexts from '#messages/de/dates.json' with { type: 'json' }
import englishTexts from '#messages/en/dates.json' with { type: 'json' }
import { createTexts } from '#messages/texts.ts'
import type { Messages } from '#messages/types.ts'

test.each([
  ['en', englishTexts, /“(.+?)”/g],
  ['de', germanTexts, /„(.+?)“/g],
])('the dates that the dialog gives as examples are understood: %s', (language, texts, quoted) => {
  // Catalogues are compiled when they are imported.
  const catalogue = texts as unknown as Parameters<typeof createTexts>[0]
  const { set } = createTexts(catalogue, language, language) as Messages['dates']
  const inQuotes = [set.notUnderstood, set.onlyYear({ year: '1974' })].flatMap(text =>
    [...text.matchAll(quoted)].map(match => match[1] ?? ''),
  )
  const inHint = set.hint.replace(/^.+?: /, '').split(/, | oder /)
  // The last one of the hint says what else can be typed.
  const examples = [set.example, ...inQuotes, ...inHint.slice(0, -1)]
  expect(examples.length).toBeGreaterThan(15)
  expect(examples.filter(text => readDate(text, { language }) === undefined)).toEqual([])
})
