import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readMessageFiles } from './lib/message-files.ts'
import { messageProblems } from './lib/message-problems.ts'
import { messageTypes } from './lib/message-types.ts'

const trees: string[] = []

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true })
})

/** A project whose catalogues and code fit each other, with some of its files replaced. */
function project(files: Record<string, string> = {}): string {
  const tree = mkdtempSync(join(tmpdir(), 'heirloom-messages-'))
  trees.push(tree)
  const all: Record<string, string> = {
    'messages/en/tags.json': catalogue({ heading: 'Tags', files: '{count, plural, one {# file} other {# files}}' }),
    'messages/de/tags.json': catalogue({
      heading: 'Schlagwörter',
      files: '{count, plural, one {# Datei} other {# Dateien}}',
    }),
    'web/src/tags/Tags.tsx':
      'export const Tags = () => <h2 className="Large Title">{texts.heading} {texts.files({ count: 2 })}</h2>',
    ...files,
  }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  return tree
}

function catalogue(messages: object): string {
  return JSON.stringify(messages)
}

const english = { heading: 'Tags', files: '{count, plural, one {# file} other {# files}}' }
const german = { heading: 'Schlagwörter', files: '{count, plural, one {# Datei} other {# Dateien}}' }

test('catalogues that fit each other and the code have no problems', () => {
  expect(messageProblems(project())).toEqual([])
})

test.each([
  [
    'a message without a translation',
    { 'messages/de/tags.json': catalogue({ heading: 'Schlagwörter' }) },
    'messages/de/tags.json: files is missing',
  ],
  [
    'a translation of nothing',
    { 'messages/de/tags.json': catalogue({ ...german, footer: 'Ende' }) },
    'messages/de/tags.json: footer is not in the English catalogue',
  ],
  [
    'a catalogue without a translation',
    { 'messages/en/notes.json': catalogue({ heading: 'Notes' }) },
    'messages/de/notes.json is missing',
  ],
  [
    'a catalogue without English',
    { 'messages/de/notes.json': catalogue({ heading: 'Notizen' }) },
    'messages/de/notes.json has no English catalogue',
  ],
  [
    'another placeholder',
    { 'messages/de/tags.json': catalogue({ ...german, files: '{anzahl, plural, one {# Datei} other {# Dateien}}' }) },
    'messages/de/tags.json: files has the placeholders {anzahl number}, in English {count number}',
  ],
  [
    'a placeholder that is left out',
    { 'messages/de/tags.json': catalogue({ ...german, files: 'Dateien' }) },
    'messages/de/tags.json: files has the placeholders none, in English {count number}',
  ],
  [
    'another choice',
    {
      'messages/en/tags.json': catalogue({ ...english, heading: '{kind, select, image {Photo} other {File}}' }),
      'messages/de/tags.json': catalogue({ ...german, heading: '{kind, select, bild {Foto} other {Datei}}' }),
    },
    'messages/de/tags.json: heading has the placeholders {kind choice bild other}, in English {kind choice image other}',
  ],
  [
    'a plural form that is missing',
    { 'messages/de/tags.json': catalogue({ ...german, files: '{count, plural, other {# Dateien}}' }) },
    'messages/de/tags.json: files lacks the plural form one',
  ],
  [
    'a plural form that is missing in English',
    { 'messages/en/tags.json': catalogue({ ...english, files: '{count, plural, =1 {a file} other {# files}}' }) },
    'messages/en/tags.json: files lacks the plural form one',
  ],
  [
    'an empty text',
    { 'messages/de/tags.json': catalogue({ ...german, heading: ' ' }) },
    'messages/de/tags.json: heading has no text',
  ],
  [
    'a text that cannot be parsed',
    { 'messages/de/tags.json': catalogue({ ...german, heading: 'Schlagwörter {' }) },
    'messages/de/tags.json: heading is not valid: EXPECT_ARGUMENT_CLOSING_BRACE',
  ],
  [
    'a key that no code uses',
    {
      'messages/en/tags.json': catalogue({ ...english, unused: 'Unused' }),
      'messages/de/tags.json': catalogue({ ...german, unused: 'Unbenutzt' }),
    },
    'messages/en/tags.json: no code uses unused',
  ],
  [
    'a sentence in code',
    { 'web/src/tags/save.ts': "toast.success('The tag was saved.')" },
    'web/src/tags/save.ts:1 has a text outside the catalogues: The tag was saved.',
  ],
  [
    'a sentence with values in code',
    { 'web/src/tags/save.ts': `\nexport const label = (count: number) => \`Saved \${count} tags\`` },
    'web/src/tags/save.ts:2 has a text outside the catalogues: Saved … tags',
  ],
  [
    'the text of an element',
    { 'web/src/tags/Save.tsx': 'export const Save = () => <button type="submit">save</button>' },
    'web/src/tags/Save.tsx:1 has a text outside the catalogues: save',
  ],
  [
    'a text that a screen reader says',
    { 'web/src/tags/Save.tsx': 'export const Save = () => <button type="submit" aria-label="save" />' },
    'web/src/tags/Save.tsx:1 has a text outside the catalogues: save',
  ],
  [
    'a word that ends like a sentence',
    { 'web/src/tags/save.ts': "export const state = 'Saving…'" },
    'web/src/tags/save.ts:1 has a text outside the catalogues: Saving…',
  ],
])('%s is found', (_, files, problem) => {
  expect(messageProblems(project(files))).toEqual([problem])
})

test('classes, addresses, types, errors for developers and tests may have words', () => {
  const root = project({
    'web/src/tags/save.ts': [
      "import { a } from './Some file.ts'",
      "type Kind = 'First kind' | 'Second kind'",
      "throw new Error('A tag without a name')",
      "document.querySelector('main > a[href]')",
    ].join('\n'),
    'web/src/tags/save.test.ts': "test('The tag is saved.', () => {})",
  })
  expect(messageProblems(root)).toEqual([])
})

test('the types name the values that a message takes', () => {
  const root = project({
    'messages/en/tags.json': catalogue({
      heading: 'Tags',
      group: {
        of: '{name} and {count, plural, one {# file} other {# files}} of {kind, select, image {photos} other {files}}',
      },
    }),
  })
  expect(messageTypes(readMessageFiles(root, 'en'))).toContain(
    "of: (values: { name: string; count: number; kind: 'image' | 'other' }) => string",
  )
})
