import { expect, test } from 'vitest'
import { parseWallClock } from '#contract/metadata.ts'
import { isPair } from './check-upload.ts'

interface Known {
  id?: string
  at?: string
  seconds?: number
}

function half({ id, at, seconds }: Known) {
  return { contentIdentifier: id ?? null, takenAt: (at && parseWallClock(at)) || null, duration: seconds ?? null }
}

const noon = '2024-06-01T12:00:00'
const cases: [what: string, photo: Known, film: Known, together: boolean][] = [
  ['equal identifiers', { id: 'A', at: noon }, { id: 'A', at: '2020-01-01T00:00:00', seconds: 20 }, true],
  ['other identifiers', { id: 'A', at: noon }, { id: 'B', at: noon, seconds: 2 }, false],
  ['one identifier and the same second', { id: 'A', at: noon }, { at: noon, seconds: 2 }, true],
  ['one identifier alone', { id: 'A' }, { seconds: 2 }, false],
  ['the same second', { at: noon }, { at: noon, seconds: 2 }, true],
  ['six seconds of film', { at: noon }, { at: noon, seconds: 6 }, true],
  ['more than six seconds', { at: noon }, { at: noon, seconds: 6.1 }, false],
  ['a film of unknown length', { at: noon }, { at: noon }, false],
  ['a photo without a time', {}, { at: noon, seconds: 2 }, false],
  ['a film without a time', { at: noon }, { seconds: 2 }, false],
  ['five seconds apart', { at: noon }, { at: '2024-06-01T12:00:05', seconds: 2 }, true],
  ['six seconds apart', { at: noon }, { at: '2024-06-01T11:59:54', seconds: 2 }, false],
  ['the same moment in two zones', { at: `${noon}+02:00` }, { at: '2024-06-01T10:00:01Z', seconds: 2 }, true],
  ['the same clock in two zones', { at: `${noon}+02:00` }, { at: `${noon}Z`, seconds: 2 }, false],
  ['a film in UTC of a photo without a zone', { at: noon }, { at: '2024-06-01T06:15:03Z', seconds: 2 }, true],
  ['no zone is that far off', { at: noon }, { at: '2024-06-02T12:00:00Z', seconds: 2 }, false],
  ['no zone is seven minutes off', { at: noon }, { at: '2024-06-01T12:07:00Z', seconds: 2 }, false],
]

test.each(cases)('%s', (_, photo, film, together) => {
  expect(isPair(half(photo), half(film))).toBe(together)
})
