import { expect, test } from 'vitest'
import { describeZone, findZones } from './zones.ts'

const ids = (text: string) => findZones(text).map(({ id }) => id)

test.each([
  ['London', 'Europe/London'],
  ['new york', 'America/New_York'],
  ['Kolkata', 'Asia/Calcutta'],
  ['calcutta', 'Asia/Calcutta'],
  ['são paulo', 'America/Sao_Paulo'],
  ['india', 'Asia/Calcutta'],
  ['United Kingdom', 'Europe/London'],
  ['UTC+5:30', 'Asia/Colombo'],
  ['gmt +05:30', 'Asia/Colombo'],
  ['+5:45', 'Asia/Katmandu'],
  ['UTC', 'UTC'],
])('%s finds %s first', (text, id) => {
  // The runtime may list a zone under its old or its new name.
  const names = [id, id.replace('Calcutta', 'Kolkata').replace('Katmandu', 'Kathmandu')]
  expect(names).toContain(ids(text)[0])
})

test('a whole offset comes before others that begin with it', () => {
  const offsets = findZones('UTC+1').map(({ offset }) => offset)
  expect(offsets[0]).toBe('UTC+1')
  expect(offsets.every(offset => offset.startsWith('UTC+1'))).toBe(true)
})

test('nothing is found by nothing or by nonsense', () => {
  expect([ids(''), ids('   '), ids('atlantis under the sea'), ids('(*+')]).toEqual([[], [], [], []])
})

test('a zone is described by its town, country and offset', () => {
  expect(describeZone('Asia/Calcutta')).toMatchObject({ name: 'Kolkata', region: 'India', offset: 'UTC+5:30' })
})
