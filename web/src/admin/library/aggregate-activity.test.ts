import { expect, test } from 'vitest'
import type { ActivityLine } from '#contract/admin.ts'
import { aggregateActivity } from './aggregate-activity.ts'
import { describeAggregated } from './describe-activity.ts'

const ada = { id: 1, username: 'ada', name: 'Ada' }
const ben = { id: 2, username: 'ben', name: 'Ben' }
let lastId = 100

function line(act: string, details: Partial<ActivityLine> = {}): ActivityLine {
  const at = '2026-07-01T12:00:00.000Z'
  const subject = { subject_type: 'media', subject_id: 1, subject_name: 'lake.jpg' }
  return { id: lastId--, at, actor: ada, act, ...subject, before: null, files: null, videos: 0, ...details }
}

function sentences(lines: ActivityLine[]): string[] {
  return aggregateActivity(lines).map(group => `${group.lines[0].actor?.name} ${describeAggregated(group.lines)}`)
}

test('one act on several files is one sentence', () => {
  const lines = [
    line('media.delete'),
    line('media.delete', { subject_name: 'beach.jpg' }),
    line('media.delete', { subject_name: 'dune.jpg' }),
    line('media.move', { actor: ben }),
    line('media.move', { actor: ben, subject_name: 'wave.MOV' }),
    line('media.rename', { before: { name: 'IMG_1.jpg' } }),
    line('media.rename', { before: { name: 'IMG_2.jpg' } }),
  ]
  expect(sentences(lines)).toEqual([
    'Ada deleted 3 photos',
    'Ben moved 2 photos and videos to another folder',
    'Ada renamed “IMG_1.jpg” to “lake.jpg”',
    'Ada renamed “IMG_2.jpg” to “lake.jpg”',
  ])
})

test('what others do in between does not break a sentence', () => {
  const lines = [
    line('media.upload'),
    line('media.heart', { actor: ben }),
    line('media.upload'),
    line('media.upload'),
    line('media.heart', { actor: ben }),
  ]
  expect(sentences(lines)).toEqual(['Ada added 3 photos', 'Ben added 2 photos to their favourites'])
})

test('another person, another tag or a pause begins another sentence', () => {
  const lines = [
    line('media.tag', { before: { tag: 'summer' } }),
    line('media.tag', { before: { tag: 'summer' } }),
    line('media.tag', { before: { tag: 'winter' } }),
    line('media.delete'),
    line('media.delete', { actor: ben }),
    line('media.delete', { actor: ben, at: '2026-07-01T11:30:00.000Z' }),
  ]
  expect(sentences(lines)).toEqual([
    'Ada tagged 2 photos with “summer”',
    'Ada tagged “lake.jpg” with “winter”',
    'Ada deleted “lake.jpg”',
    'Ben deleted “lake.jpg”',
    'Ben deleted “lake.jpg”',
  ])
})

test('dates that were changed and taken back are counted once', () => {
  const nineteen = (act: string, before: ActivityLine['before'] = null) =>
    Array.from({ length: 19 }, () => line(act, { before }))
  expect(sentences([...nineteen('media.undo', { undone: 'media.date' }), ...nineteen('media.date')])).toEqual([
    'Ada undid this: changed the date of 19 photos',
    'Ada changed the date of 19 photos',
  ])
  const whole = { files: 19 }
  expect(
    sentences([line('media.undo', { before: { undone: 'media.date' }, ...whole }), line('media.date', whole)]),
  ).toEqual(['Ada undid this: changed the date of 19 photos', 'Ada changed the date of 19 photos'])
})
