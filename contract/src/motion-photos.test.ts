import { expect, test } from 'vitest'
import { clipsByStill } from './motion-photos.ts'

const pairs = (...names: string[]) => Object.fromEntries(clipsByStill(names, name => name))

test('a clip belongs to the still of its name, whatever the case', () => {
  expect(pairs('IMG_1.HEIC', 'IMG_1.MOV', 'img_2.jpeg', 'IMG_2.mov', 'a.heif', 'a.mp4', 'IMG_4.MP4')).toEqual({
    'IMG_1.HEIC': 'IMG_1.MOV',
    'img_2.jpeg': 'IMG_2.mov',
    'a.heif': 'a.mp4',
  })
})

test('names of iCloud and of Google are known', () => {
  const icloud = ['IMG_1.HEIC', 'IMG_1_HEVC.MOV', 'IMG_2.JPG', 'img_2_hevc.mov']
  const google = ['PXL_1.MP.jpg', 'PXL_1.MP', 'PXL_2.MP~2.jpg', 'PXL_2.MP~2', 'PXL_3.MV.jpg', 'PXL_3.MV', 'MVIMG_4.jpg']
  expect(pairs(...icloud, ...google, 'MVIMG_4.MP4')).toEqual({
    'IMG_1.HEIC': 'IMG_1_HEVC.MOV',
    'IMG_2.JPG': 'img_2_hevc.mov',
    'PXL_1.MP.jpg': 'PXL_1.MP',
    'PXL_2.MP~2.jpg': 'PXL_2.MP~2',
    'PXL_3.MV.jpg': 'PXL_3.MV',
    'MVIMG_4.jpg': 'MVIMG_4.MP4',
  })
})

test('a still has one clip and a clip one still: the surest', () => {
  expect(pairs('IMG_1.JPG', 'IMG_1.HEIC', 'IMG_1.MP4', 'IMG_1_HEVC.MOV', 'IMG_1.MOV')).toEqual({
    'IMG_1.HEIC': 'IMG_1.MOV',
  })
  expect(pairs('a.jpg', 'a.mov', 'a.MOV')).toEqual({ 'a.jpg': 'a.mov' })
  expect(pairs('IMG_2.MOV', 'IMG_3.PNG', 'IMG_3.MOV', 'b.jpg', 'b.mkv', 'PXL.jpg', 'PXL.MP')).toEqual({})
})
