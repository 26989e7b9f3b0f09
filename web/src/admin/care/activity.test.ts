import { expect, test } from 'vitest'
import { type ActivityLine, auditActs } from '#contract/admin.ts'
import { tell } from './activity.ts'

function line(details: Partial<ActivityLine>): ActivityLine {
  const actor = { id: 1, username: 'ada', name: 'Ada' }
  return {
    id: 1,
    at: '2026-06-14T10:00:00.000Z',
    actor,
    act: 'media.upload',
    subject_type: 'media',
    subject_id: 7,
    subject_name: 'beach.jpg',
    before: null,
    ...details,
  }
}

test('an upload names the file', () => {
  expect(tell(line({}))).toBe('added “beach.jpg”')
})

test('a rename tells both names', () => {
  expect(tell(line({ act: 'media.rename', before: { name: 'IMG_1.jpg' } }))).toBe('renamed “IMG_1.jpg” to “beach.jpg”')
})

test('a folder that was only moved is not called renamed', () => {
  const moved = line({ act: 'folder.update', subject_name: 'Summer', before: { name: 'Summer', parent_id: null } })
  expect(tell(moved)).toBe('moved the folder “Summer”')
})

test('what is gone is told by the name it had', () => {
  const purged = line({ act: 'media.purge', subject_name: null, before: { name: 'old.jpg' } })
  expect(tell(purged)).toBe('removed “old.jpg” for good')
})

test('people are not put in quotes', () => {
  expect(tell(line({ act: 'person.revoke', subject_name: 'Kofi' }))).toBe('took Kofi’s access')
})

test.each(auditActs)('%s is told in words', act => {
  expect(tell(line({ act }))).toMatch(/^[a-z]+( |$)/)
})

test('an act from a newer server, or a strange record of the past, still gives a line', () => {
  expect(tell(line({ act: 'media.dance' }))).toBe('media.dance')
  expect(tell(line({ before: ['?'] }))).toBe('added “beach.jpg”')
})
