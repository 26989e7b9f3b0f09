import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AppError, inEnglish } from './errors.ts'

test('the message is in English, and the answer names it for pages in other languages', () => {
  const plain = new AppError('conflict', 'albums.changedSince')
  expect(plain).toMatchObject({ status: 409, key: 'albums.changedSince', values: undefined })
  expect(plain.message).toBe('This album has been changed since.')
  const cause = new Error('deadlock')
  const withValues = new AppError('conflict', 'folders.nameTaken', { name: '{name}', cause })
  expect(withValues).toMatchObject({ key: 'folders.nameTaken', values: { name: '{name}' }, cause })
  expect(withValues.message).toBe('There is already a folder called “{name}” here.')
  expect(new AppError('not_found', 'trash.notDeleted', { count: 2 }).message).toMatch(/^These files are /)
})

test('numbers are written as before there were catalogues', () => {
  expect(inEnglish({ key: 'files.tooMany', values: { count: 2000 } })).toBe('At most 2,000 files at once.')
  expect(inEnglish({ key: 'notes.tooLong', values: { count: 5000 } })).toBe('A note has at most 5000 characters.')
})

test('every message is used', () => {
  const root = new URL('../../../', import.meta.url)
  const sources = globSync('{server,contract}/src/**/*.ts', { cwd: root, exclude: name => name.endsWith('.test.ts') })
    .map(file => readFileSync(new URL(file, root), 'utf8'))
    .join('\n')
  const keys = keysOf(JSON.parse(readFileSync(new URL('messages/en/errors.json', root), 'utf8')))
  expect(keys.length).toBeGreaterThan(100)
  expect(keys.filter(key => !sources.includes(`'${key}'`))).toEqual([])
})

function keysOf(group: object, prefix = ''): string[] {
  return Object.entries(group).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${prefix}${name}`] : keysOf(value, `${prefix}${name}.`),
  )
}
