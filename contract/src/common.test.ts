import { expect, test } from 'vitest'
import { GroupTitle, sendMessage } from './chat.ts'
import { isVisible } from './common.ts'
import { FolderName } from './folders.ts'
import { renameMedia } from './media.ts'
import { NoteContent } from './notes.ts'

test.each(['', ' \t\n', '\u200b', '\u2060\ufeff', '\u3164', '\u00ad', '\u0301', '\ud83d', '\u202e\u2066'])(
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
