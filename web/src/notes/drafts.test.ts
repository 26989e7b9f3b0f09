import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setSessionPerson } from '../kit/token.ts'
import { clearNoteDrafts, deleteDraft, draftOfNote, readDraft, restoreDraft, saveDraft } from './drafts.ts'

/** Their keys are properties of it, as in a browser. */
function storage() {
  const items: Record<string, unknown> = {}
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(items, { [key]: value }),
    removeItem: (key: string) => Reflect.deleteProperty(items, key),
  }
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(items, name, { value })
  return items
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  setSessionPerson(1)
})

afterEach(() => vi.unstubAllGlobals())

const note = draftOfNote(5)

test('a draft is of the person who wrote it', async () => {
  await saveDraft(note, 'For Ada only', async () => false)
  expect(readDraft(note)).toBe('For Ada only')
  setSessionPerson(2)
  expect(readDraft(note)).toBeNull()
  deleteDraft(note)
  setSessionPerson(1)
  expect(readDraft(note)).toBe('For Ada only')
  clearNoteDrafts()
  expect(readDraft(note)).toBeNull()
})

test('what could not be saved stays with its writer if the session ends at that moment', async () => {
  await saveDraft(note, 'For Ada only', async () => {
    setSessionPerson(2)
    return false
  })
  expect(readDraft(note)).toBeNull()
  setSessionPerson(1)
  expect(readDraft(note)).toBe('For Ada only')
})

test('words that are restored follow those that were written since', () => {
  restoreDraft(note, 'Refused')
  expect(readDraft(note)).toBe('Refused')
  restoreDraft(note, 'Refused')
  expect(readDraft(note)).toBe('Refused')
  restoreDraft(note, 'Too')
  expect(readDraft(note)).toBe('Refused\nToo')
})
