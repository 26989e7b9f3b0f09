import { expect, test } from 'vitest'
import {
  canStart,
  emptyDraft,
  missingFields,
  type NewConversationDraft,
  withKind,
  withPersonToggled,
} from './new-conversation-draft.ts'

const [ada, ben, rose] = [1, 2, 3]
const choose = (...people: number[]) =>
  people.reduce<NewConversationDraft>((so, person) => withPersonToggled(person, so), emptyDraft)

test('the first person makes a direct message, a second one a group', () => {
  expect(choose(ada)).toMatchObject({ kind: 'direct', chosen: [ada] })
  expect(choose(ada, ben)).toMatchObject({ kind: 'group', chosen: [ada, ben] })
})

test('removing people down to one or none makes it direct again', () => {
  expect(choose(ada, ben, rose, ada)).toMatchObject({ kind: 'group', chosen: [ben, rose] })
  expect(choose(ada, ben, ada)).toMatchObject({ kind: 'direct', chosen: [ben] })
  expect(withPersonToggled(ada, withKind('group', choose(ada)))).toMatchObject({ kind: 'direct', chosen: [] })
})

test('a group that was chosen first stays a group with one person', () => {
  const group = withKind('group', emptyDraft)
  expect(withPersonToggled(ada, group)).toMatchObject({ kind: 'group', chosen: [ada] })
  expect(withPersonToggled(ben, withPersonToggled(ada, group))).toMatchObject({ kind: 'group', chosen: [ada, ben] })
})

test('switching to a direct message keeps the first person alone, and the name for later', () => {
  const group = { ...choose(ben, ada, rose), title: 'Summer' }
  const direct = withKind('direct', group)
  expect(direct).toEqual({ kind: 'direct', chosen: [ben], title: 'Summer' })
  expect(withKind('group', direct)).toEqual({ kind: 'group', chosen: [ben], title: 'Summer' })
})

test('a direct message needs exactly one person', () => {
  expect(canStart(emptyDraft)).toBe(false)
  expect(canStart(choose(ada))).toBe(true)
})

test('a group needs two people and a name of at most 50 characters', () => {
  const group = choose(ada, ben)
  expect(canStart({ ...group, title: '   ' })).toBe(false)
  expect(canStart({ ...group, title: ' Summer ' })).toBe(true)
  expect(canStart({ ...group, title: 'x'.repeat(50) })).toBe(true)
  expect(canStart({ ...group, title: 'x'.repeat(51) })).toBe(false)
  expect(canStart({ ...withKind('group', choose(ada)), title: 'Summer' })).toBe(false)
})

test('missing fields of a group are listed', () => {
  expect(missingFields(withKind('group', emptyDraft))).toEqual(['name', 'people'])
  expect(missingFields({ ...withKind('group', choose(ada)), title: 'Summer' })).toEqual(['people'])
  expect(missingFields(choose(ada, ben))).toEqual(['name'])
  expect(missingFields({ ...choose(ada, ben), title: 'Summer' })).toEqual([])
  expect(missingFields(emptyDraft)).toEqual([])
})
