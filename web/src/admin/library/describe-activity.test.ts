import { expect, onTestFinished, test, vi } from 'vitest'
import type { ActivityLine } from '#contract/admin.ts'
import { auditActs } from '#contract/audit.ts'
import { aggregationKey, describeActivity } from './describe-activity.ts'

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
    files: null,
    videos: 0,
    ...details,
  }
}

test('an upload names the file', () => {
  expect(describeActivity(line({}))).toBe('added “beach.jpg”')
})

test('a rename includes both names', () => {
  expect(describeActivity(line({ act: 'media.rename', before: { name: 'IMG_1.jpg' } }))).toBe(
    'renamed “IMG_1.jpg” to “beach.jpg”',
  )
})

test('a folder that was only moved is not called renamed', () => {
  const moved = line({ act: 'folder.update', subject_name: 'Summer', before: { name: 'Summer', parent_id: null } })
  expect(describeActivity(moved)).toBe('moved the folder “Summer”')
})

test('a deleted file is named by its last name', () => {
  const purged = line({ act: 'media.purge', subject_name: null, before: { name: 'old.jpg' } })
  expect(describeActivity(purged)).toBe('removed “old.jpg” for good')
})

test('an act on several files says how many, and an undo what it undid', () => {
  expect(describeActivity(line({ act: 'media.date', files: 19 }))).toBe('changed the date of 19 photos')
  expect(describeActivity(line({ act: 'media.move', files: 3, videos: 1 }))).toBe(
    'moved 3 photos and videos to another folder',
  )
  const undone = line({ act: 'media.undo', files: 19, before: { undone: 'media.tag', tag: 'Sea' } })
  expect(describeActivity(undone)).toBe('undid this: tagged 19 photos with “Sea”')
  expect(describeActivity({ ...undone, files: 1 })).toBe('undid this: tagged “beach.jpg” with “Sea”')
  expect([aggregationKey(undone), aggregationKey({ ...undone, files: 1 })]).toEqual([
    undefined,
    'media.undo media.tagSea',
  ])
})

test('hearts for many files are one line', () => {
  const many = line({ act: 'media.heart', before: { files: 12 } })
  expect(describeActivity(many)).toBe('added 12 files to their favourites')
  expect(describeActivity(line({ act: 'media.unheart' }))).toBe('removed “beach.jpg” from their favourites')
  expect([aggregationKey(many), aggregationKey(line({ act: 'media.heart' }))]).toEqual([undefined, 'media.heart '])
})

test('a tag is named, where the line knows it', () => {
  expect(describeActivity(line({ act: 'media.tag', before: { tags: [], tag: 'Sea' } }))).toBe(
    'tagged “beach.jpg” with “Sea”',
  )
  expect(describeActivity(line({ act: 'media.untag', before: { tags: ['Sea'], tag: 'Sea' } }))).toBe(
    'removed the tag “Sea” from “beach.jpg”',
  )
  expect(describeActivity(line({ act: 'media.tag', before: { tags: [] } }))).toBe('tagged “beach.jpg”')
})

test('people are not put in quotes', () => {
  expect(describeActivity(line({ act: 'person.revoke', subject_name: 'Kofi' }))).toBe('took Kofi’s access')
})

test.each(auditActs)('%s has a description', act => {
  expect(describeActivity(line({ act }))).toMatch(/^[a-z]+( |$)/)
})

test('an unknown act or an unreadable record still has a description', () => {
  expect(describeActivity(line({ act: 'media.dance' }))).toBe('media.dance')
  expect(describeActivity(line({ before: ['?'] }))).toBe('added “beach.jpg”')
})

test('it is said in the language of the page', async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  vi.stubGlobal('navigator', { languages: ['de-DE'] })
  vi.resetModules()
  const { describeActivity: inGerman } = await import('./describe-activity.ts')
  expect(inGerman(line({ act: 'media.rename', before: { name: 'IMG_1.jpg' } }))).toBe(
    'hat „IMG_1.jpg“ in „beach.jpg“ umbenannt',
  )
  expect(inGerman(line({ act: 'media.move', files: 1200, videos: 1 }))).toBe(
    'hat 1.200 Fotos und Videos in einen anderen Ordner verschoben',
  )
  const undone = line({ act: 'media.undo', files: 19, before: { undone: 'media.tag', tag: 'Meer' } })
  expect(inGerman(undone)).toBe('hat dies rückgängig gemacht: 19 Fotos mit dem Schlagwort „Meer“ versehen')
  expect(inGerman(line({ act: 'album.add', subject_name: 'Sommer', before: { files: 1 } }))).toBe(
    'hat 1 Datei zum Album „Sommer“ hinzugefügt',
  )
})
