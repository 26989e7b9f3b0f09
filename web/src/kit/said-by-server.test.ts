import { afterEach, beforeEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The pages as a person has them who has chosen this language. */
async function pagesIn(language: string) {
  vi.resetModules()
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'language' ? language : null), setItem() {} })
  const [{ saidByServer }, { errorFromResponse }] = await Promise.all([import('./messages.ts'), import('./api.ts')])
  return { saidByServer, errorFromResponse }
}

const english = 'There is already a folder called “Beach” here.'
const nameTaken = { key: 'folders.nameTaken', values: { name: 'Beach' } }

test('what the server says is shown in English as it comes', async () => {
  const { saidByServer } = await pagesIn('en')
  expect(saidByServer(english, nameTaken)).toBe(english)
})

let german: Awaited<ReturnType<typeof pagesIn>>
beforeEach(async () => {
  german = await pagesIn('de')
})

test('what the server says is shown in German, in the answer to a failed request too', () => {
  expect(german.saidByServer(english, nameTaken)).toBe('Hier gibt es schon einen Ordner namens „Beach“.')
  const answer = JSON.stringify({ error: english, code: 'conflict', ...nameTaken })
  expect(german.errorFromResponse(409, answer)).toMatchObject({
    code: 'conflict',
    message: 'Hier gibt es schon einen Ordner namens „Beach“.',
  })
})

test('a part of the sentence is in German too', () => {
  const place = { key: 'input.place.field', values: { name: 'labels' } }
  const subject = { key: 'input.subject.entry', values: { entry: '2', place } }
  const refused = { key: 'input.kind', values: { subject, kind: 'string' } }
  expect(german.saidByServer('…', refused)).toBe('Eintrag 2 im Feld „labels“ muss ein Text sein.')
})

test.each([
  ['no key', {}],
  ['an unknown key', { key: 'folders.onTheMoon' }],
  ['the key of a group', { key: 'folders' }],
  ['a key of every object', { key: 'constructor.name' }],
  ['an unknown part', { key: 'input.missing', values: { subject: { key: 'input.subject.person' } } }],
  ['a value of another kind', { key: 'folders.nameTaken', values: { name: ['Beach'] } }],
])('with %s the English sentence is shown', (_, refusal) => {
  expect(german.saidByServer(english, refusal)).toBe(english)
})

test('an answer whose key or values cannot be read is shown in English', () => {
  const answer = JSON.stringify({ error: english, code: 'conflict', key: 7, values: 'Beach' })
  expect(german.errorFromResponse(409, answer)).toMatchObject({ code: 'conflict', message: english })
})
