import { expect, test } from 'vitest'
import { uploadDialog } from '#contract/limits.ts'
import { fileOf } from '../test-support/items.ts'
import type { NewFile } from './item.ts'
import { pairLivePhotos } from './live-photos.ts'

function chosen(name: string, { size = 10, path = [] as string[] } = {}): NewFile {
  return { file: fileOf(size, name), path }
}

function inWords(files: readonly NewFile[]): string[] {
  return files.map(({ file, motion }) => (motion ? `${file.name} + ${motion.name}` : file.name))
}

test('a still and a clip of one name are one item, whichever comes first', () => {
  const files = ['IMG_1.MOV', 'IMG_1.HEIC', 'IMG_2.jpg', 'img_2.mov', 'IMG_3.jpg'].map(name => chosen(name))
  expect(inWords(pairLivePhotos(files))).toEqual(['IMG_1.HEIC + IMG_1.MOV', 'IMG_2.jpg + img_2.mov', 'IMG_3.jpg'])
})

test('they stay apart when they come from two folders, or the clip is a whole film', () => {
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

test('an edited still beside its HEIC does not take the clip a second time', () => {
  const files = ['IMG_1.HEIC', 'IMG_1.JPG', 'IMG_1.MOV'].map(name => chosen(name))
  expect(inWords(pairLivePhotos(files))).toEqual(['IMG_1.HEIC + IMG_1.MOV', 'IMG_1.JPG'])
})

test('the names of iCloud and Google are known here too', () => {
  const files = ['IMG_1.HEIC', 'IMG_1_HEVC.MOV', 'PXL_2.MP', 'PXL_2.MP.jpg', 'IMG_3.heic', 'IMG_3.mp4'].map(name =>
    chosen(name),
  )
  expect(inWords(pairLivePhotos(files))).toEqual([
    'IMG_1.HEIC + IMG_1_HEVC.MOV',
    'PXL_2.MP.jpg + PXL_2.MP',
    'IMG_3.heic + IMG_3.mp4',
  ])
})
