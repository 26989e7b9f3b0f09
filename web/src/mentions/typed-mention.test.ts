import { describe, expect, test } from 'vitest'
import { completeMention, mentionBeforeCaret, suggestPeople } from './typed-mention.ts'

const people = [
  { id: 1, username: 'ada', name: 'Ada Okafor' },
  { id: 2, username: 'ben.o', name: 'Ben Okafor' },
  { id: 3, username: 'rose', name: 'Grandma Rose' },
  { id: 4, username: 'kofi', name: 'Kofi Mensah' },
  { id: 5, username: 'ines', name: 'Inês Duarte' },
  { id: 6, username: 'roberta', name: 'Roberta Okafor' },
]
const usernames = (typed: string) => suggestPeople(people, typed, 5).map(({ username }) => username)

describe('a mention is being typed', () => {
  test('from the @ on', () => {
    expect(mentionBeforeCaret('Hello @', 7)).toEqual({ start: 6, text: '' })
    expect(mentionBeforeCaret('@ro', 3)).toEqual({ start: 0, text: 'ro' })
    expect(mentionBeforeCaret('(@ro', 4)).toEqual({ start: 1, text: 'ro' })
  })

  test('until a space or a new line follows', () => {
    expect(mentionBeforeCaret('@rose ', 6)).toBeUndefined()
    expect(mentionBeforeCaret('@rose\n', 6)).toBeUndefined()
  })

  test('up to the caret, whatever follows', () => {
    expect(mentionBeforeCaret('@rose and @ben', 3)).toEqual({ start: 0, text: 'ro' })
    expect(mentionBeforeCaret('@rose and @ben', 8)).toBeUndefined()
    expect(mentionBeforeCaret('@rose and @ben', 14)).toEqual({ start: 10, text: 'ben' })
  })

  test('but not in an e-mail address', () => {
    expect(mentionBeforeCaret('rose@example', 12)).toBeUndefined()
  })
})

describe('suggested are', () => {
  test('at most five', () => expect(usernames('')).toEqual(['ada', 'ben.o', 'rose', 'kofi', 'ines']))
  test('those whose username contains it', () => expect(usernames('en.')).toEqual(['ben.o']))
  test('those whose name contains it, in any case', () => expect(usernames('GRAND')).toEqual(['rose']))
  test('first those who begin with it', () => expect(usernames('ro')).toEqual(['rose', 'roberta']))
  test('a beginning before a middle', () => expect(usernames('o')).toEqual(['ada', 'ben.o', 'rose', 'kofi', 'roberta']))
  test('nobody, where nobody matches', () => expect(usernames('zz')).toEqual([]))
})

describe('choosing a person', () => {
  const [, ben] = people as [unknown, (typeof people)[number]]

  test('inserts the username and a space, and puts the caret after both', () => {
    expect(completeMention('Hi @be', { start: 3, text: 'be' }, ben)).toEqual({ text: 'Hi @ben.o ', caret: 10 })
  })

  test('keeps the text after the caret, and an existing space', () => {
    expect(completeMention('Hi @be!', { start: 3, text: 'be' }, ben)).toEqual({ text: 'Hi @ben.o !', caret: 10 })
    expect(completeMention('Hi @be and', { start: 3, text: 'be' }, ben)).toEqual({ text: 'Hi @ben.o and', caret: 10 })
  })
})
