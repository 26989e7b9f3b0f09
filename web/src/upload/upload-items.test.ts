import { expect, test } from 'vitest'
import { uploadDialog } from '#contract/limits.ts'
import { createTestItem, fileOfSize } from './test-support/items.ts'
import {
  type ChosenFile,
  canTransition,
  compareByName,
  ItemStore,
  isBusy,
  isRemovable,
  isRetryable,
  pairLivePhotos,
  type Status,
  sortByStatus,
} from './upload-items.ts'

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
  return way.slice(1).every((to, i) => canTransition(way[i] as Status, to))
}

test('a photo passes through extracting, hashing, checking and pending to uploading', () => {
  expect(wayIsOpen('pending', 'extracting', 'hashing', 'checking', 'pending', 'processing', 'pending')).toBe(true)
  expect(wayIsOpen('pending', 'uploading', 'success')).toBe(true)
})

test('a video passes through transcoding, processing and checking', () => {
  expect(wayIsOpen('pending', 'transcoding', 'processing', 'checking', 'pending', 'uploading', 'success')).toBe(true)
})

test('a duplicate is found while checking, hashing or uploading', () => {
  expect(all.filter(from => canTransition(from, 'duplicate') && from !== 'duplicate')).toEqual([
    'hashing',
    'checking',
    'uploading',
  ])
})

test('every step can fail, and an error returns only to pending', () => {
  const ended: Status[] = ['duplicate', 'success']
  expect(all.filter(from => !canTransition(from, 'error'))).toEqual(ended)
  expect(all.filter(to => canTransition('error', to))).toEqual(['pending', 'error'])
})

test('success and duplicate are final, and no step is skipped', () => {
  expect(all.flatMap(to => [canTransition('success', to), canTransition('duplicate', to)])).not.toContain(true)
  expect(canTransition('extracting', 'checking')).toBe(false)
  expect(canTransition('hashing', 'uploading')).toBe(false)
  expect(canTransition('checking', 'success')).toBe(false)
})

test('pending and failed items are removable, and errors retryable unless the file was rejected', () => {
  expect(all.filter(status => isRemovable(createTestItem({ status })))).toEqual(['pending', 'error'])
  expect(all.filter(status => isRetryable(createTestItem({ status })))).toEqual(['error'])
  expect(isRetryable(createTestItem({ status: 'error', rejectedByPicker: true }))).toBe(false)
  expect(isRetryable(createTestItem({ status: 'error', rejectedByServer: true }))).toBe(false)
  expect(all.filter(status => isBusy(createTestItem({ status })))).toHaveLength(6)
})

test('the store rejects an invalid transition and notifies only of changes', () => {
  let notifications = 0
  const store = new ItemStore(() => notifications++)
  const item = createTestItem()
  store.add([item])
  store.update(item.id, { status: 'extracting' })
  store.update(item.id, { status: 'extracting' })
  expect(notifications).toBe(2)
  expect(() => store.update(item.id, { status: 'success' })).toThrow('cannot go from extracting to success')
  store.remove([item.id])
  store.update(item.id, { status: 'error' })
  expect(store.all()).toEqual([])
})

test('the store notifies once of a change to two thousand items', () => {
  let notifications = 0
  const store = new ItemStore(() => notifications++)
  const items = Array.from({ length: 2_000 }, () => createTestItem())
  store.add(items)
  store.updateAll(
    items.map(item => item.id),
    { uploadRequested: true },
  )
  expect(notifications).toBe(2)
  expect(store.all().every(item => item.uploadRequested)).toBe(true)
})

function chosen(name: string, { size = 10, path = [] as string[] } = {}): ChosenFile {
  return { file: fileOfSize(size, name), path }
}

function inWords(files: readonly ChosenFile[]): string[] {
  return files.map(({ file, motion }) => (motion ? `${file.name} + ${motion.name}` : file.name))
}

test('a still and a clip with the same name become one item', () => {
  const files = ['IMG_1.MOV', 'IMG_1.HEIC', 'IMG_2.jpg', 'img_2.mov', 'IMG_3.jpg'].map(name => chosen(name))
  expect(inWords(pairLivePhotos(files))).toEqual(['IMG_1.HEIC + IMG_1.MOV', 'IMG_2.jpg + img_2.mov', 'IMG_3.jpg'])
})

test('files of different folders and long videos are not paired', () => {
  const film = chosen('IMG_2.MOV', { size: uploadDialog.livePhotoClipBytes + 1 })
  const files = [
    chosen('IMG_1.jpg', { path: ['June'] }),
    chosen('IMG_1.mov', { path: ['July'] }),
    chosen('IMG_2.jpg'),
    film,
    chosen('IMG_3.mov'),
  ]
  expect(inWords(pairLivePhotos(files))).toEqual(['IMG_1.jpg', 'IMG_1.mov', 'IMG_2.jpg', 'IMG_2.MOV', 'IMG_3.mov'])
})

test('an edited still next to its HEIC does not get the clip as well', () => {
  const files = ['IMG_1.HEIC', 'IMG_1.JPG', 'IMG_1.MOV'].map(name => chosen(name))
  expect(inWords(pairLivePhotos(files))).toEqual(['IMG_1.HEIC + IMG_1.MOV', 'IMG_1.JPG'])
})

test('the naming schemes of iCloud and Google are supported', () => {
  const files = ['IMG_1.HEIC', 'IMG_1_HEVC.MOV', 'PXL_2.MP', 'PXL_2.MP.jpg', 'IMG_3.heic', 'IMG_3.mp4'].map(name =>
    chosen(name),
  )
  expect(inWords(pairLivePhotos(files))).toEqual([
    'IMG_1.HEIC + IMG_1_HEVC.MOV',
    'PXL_2.MP.jpg + PXL_2.MP',
    'IMG_3.heic + IMG_3.mp4',
  ])
})

test('active items come first and finished items last', () => {
  const statuses: Status[] = [
    'success',
    'duplicate',
    'error',
    'pending',
    'uploading',
    'checking',
    'hashing',
    'extracting',
    'transcoding',
    'processing',
  ]
  const listed = sortByStatus(statuses.map(status => createTestItem({ status })))
  expect(listed.map(item => item.status)).toEqual(statuses.toReversed())
})

test('items of one status are in natural order', () => {
  const names = ['IMG_10.jpg', 'img_9.jpg', 'IMG_2.jpg', 'a.jpg']
  const sorted = names.map(name => createTestItem({ name })).sort(compareByName)
  expect(sortByStatus(sorted).map(item => item.name)).toEqual(['a.jpg', 'IMG_2.jpg', 'img_9.jpg', 'IMG_10.jpg'])
})

test('items of the same name keep the order in which they were chosen', () => {
  const [first, second] = [createTestItem({ name: 'image.jpg' }), createTestItem({ name: 'image.jpg' })]
  expect([second, first].sort(compareByName)).toEqual([first, second])
})
