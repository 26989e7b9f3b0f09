import { expect, test } from 'vitest'
import { itemWith } from '../test-support/items.ts'
import { isBusy, isRemovable, isRetryable, mayGo, type Status } from './item.ts'
import { ItemStore } from './store.ts'

const all: readonly Status[] = [
  'processing',
  'transcoding',
  'extracting',
  'hashing',
  'checking',
  'uploading',
  'pending',
  'error',
  'duplicate',
  'success',
]

function wayIsOpen(...way: Status[]): boolean {
  return way.slice(1).every((to, i) => mayGo(way[i] as Status, to))
}

test('a photo goes through extracting, hashing and checking, back to pending, and up', () => {
  expect(wayIsOpen('pending', 'extracting', 'hashing', 'checking', 'pending', 'processing', 'pending')).toBe(true)
  expect(wayIsOpen('pending', 'uploading', 'success')).toBe(true)
})

test('a video goes through transcoding, processing and checking', () => {
  expect(wayIsOpen('pending', 'transcoding', 'processing', 'checking', 'pending', 'uploading', 'success')).toBe(true)
})

test('a duplicate is found when checking, in the selection when hashing, and by the server when uploading', () => {
  expect(all.filter(from => mayGo(from, 'duplicate') && from !== 'duplicate')).toEqual([
    'hashing',
    'checking',
    'uploading',
  ])
})

test('any step may go to error, and an error back to pending alone', () => {
  const ended: Status[] = ['duplicate', 'success']
  expect(all.filter(from => !mayGo(from, 'error'))).toEqual(ended)
  expect(all.filter(to => mayGo('error', to))).toEqual(['pending', 'error'])
})

test('nothing leaves success or duplicate, and nothing jumps over a step', () => {
  expect(all.flatMap(to => [mayGo('success', to), mayGo('duplicate', to)])).not.toContain(true)
  expect(mayGo('extracting', 'checking')).toBe(false)
  expect(mayGo('hashing', 'uploading')).toBe(false)
  expect(mayGo('checking', 'success')).toBe(false)
})

test('pending and error rows can be removed, and an error tried again unless picker or server refused the file', () => {
  expect(all.filter(status => isRemovable(itemWith({ status })))).toEqual(['pending', 'error'])
  expect(all.filter(status => isRetryable(itemWith({ status })))).toEqual(['error'])
  expect(isRetryable(itemWith({ status: 'error', rejected: true }))).toBe(false)
  expect(isRetryable(itemWith({ status: 'error', refused: true }))).toBe(false)
  expect(all.filter(status => isBusy(itemWith({ status })))).toHaveLength(6)
})

test('the store refuses a step that does not exist, and tells of every change but no change', () => {
  let told = 0
  const store = new ItemStore(() => told++)
  const item = itemWith()
  store.add([item])
  store.change(item.id, { status: 'extracting' })
  store.change(item.id, { status: 'extracting' })
  expect(told).toBe(2)
  expect(() => store.change(item.id, { status: 'success' })).toThrow('cannot go from extracting to success')
  store.remove([item.id])
  store.change(item.id, { status: 'error' })
  expect(store.all()).toEqual([])
})

test('the store tells once of what happens to two thousand items at once', () => {
  let told = 0
  const store = new ItemStore(() => told++)
  const items = Array.from({ length: 2_000 }, () => itemWith())
  store.add(items)
  store.changeAll(
    items.map(item => item.id),
    { wanted: true },
  )
  expect(told).toBe(2)
  expect(store.all().every(item => item.wanted)).toBe(true)
})
