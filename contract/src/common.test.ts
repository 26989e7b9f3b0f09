import { expect, test } from 'vitest'
import { AlbumTitle } from './albums.ts'
import { GroupTitle, MessageContent, sendMessage } from './chat.ts'
import { comparableName, isVisible } from './common.ts'
import { FolderName } from './folders.ts'
import { createLink } from './links.ts'
import { renameMedia } from './media.ts'
import { NoteContent } from './notes.ts'
import { changeMySettings } from './settings.ts'
import { TagName } from './tags.ts'

test.each(['', ' \t\n', '\u200b', '\u2060\ufeff', '\u3164', '\u00ad', '\u0301', '\ud83d', '\u202e\u2066', '\u2800'])(
  '%j shows nothing, and is no name, note or message',
  text => {
    expect(isVisible(text)).toBe(false)
    for (const schema of [FolderName, NoteContent, GroupTitle]) expect(schema.safeParse(text).success).toBe(false)
    expect(sendMessage.body.safeParse({ content: text }).success).toBe(false)
    expect(renameMedia.body.safeParse({ newName: text }).success).toBe(false)
  },
)

test.each(['a', '0', '.', '❤️', '👨‍👩‍👧', '東', 'ا', '¿', '\u{1fae9}'])('%j is there to be seen', text => {
  expect(isVisible(text)).toBe(true)
  expect(NoteContent.parse(` ${text} `)).toBe(text)
})

test.each([
  ['TagName', TagName],
  ['NoteContent', NoteContent],
  ['MessageContent', MessageContent],
  ['GroupTitle', GroupTitle],
])('%s is stored without control characters', (_, schema) => {
  expect(schema.parse('\x1b]0;a\x07b\0c\x7f\u009bd\x08')).toBe(']0;abcd')
  expect(schema.parse('\x1b a \x1b')).toBe('a')
})

test.each([
  ['AlbumTitle', AlbumTitle],
  ['a link', createLink.body.shape.title.unwrap()],
  ['a person', changeMySettings.body.shape.name.unwrap().unwrap()],
  ['GroupTitle', GroupTitle],
  ['TagName', TagName],
])('the name of %s is one line without direction controls', (_, schema) => {
  expect(schema.parse('\u202eadA\u202c \u2066\n\tBen\u2069\u200f')).toBe('adA Ben')
  expect(schema.parse('می\u200cخواهم 👨\u200d👩\u200d👧')).toBe('می\u200cخواهم 👨\u200d👩\u200d👧')
  expect(schema.safeParse('\u202e\u2066').success).toBe(false)
})

test('tabs and line breaks stay in a note, and become blanks in a tag', () => {
  expect(NoteContent.parse('a\tb\r\nc')).toBe('a\tb\r\nc')
  expect(TagName.parse('a\tb\r\nc')).toBe('a b c')
})

test.each([
  ['Ada Okafor', 'ada  okafor'],
  ['Ada Okafor', 'ADA\u00a0Okafor\u200b'],
  ['Ada Okafor', 'Ada\u2800Okafor'],
  ['Ada', '\uff21da'],
  ['Zo\u00eb', 'Zoe\u0308'],
  ['Stra\u00dfe', 'STRASSE'],
])('%j and %j are read as the same name', (a, b) => {
  expect(comparableName(a)).toBe(comparableName(b))
  expect(comparableName(a)).not.toBe(comparableName(`${b} Jr.`))
})
